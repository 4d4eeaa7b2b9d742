import { organizationExists, soleOrganization } from '../accounts/organization-store.ts'
import type { App } from '../app.ts'
import { OperatorError } from '../errors.ts'

/** The organization named by `--org`, or the only one there is. */
export async function findOrganization(
  { db, database }: App,
  named: string | undefined,
): Promise<string> {
  if (named !== undefined) {
    if (await organizationExists(db, named)) return named
    throw new OperatorError(`There is no organization ${named} in ${database.location}.`)
  }
  const only = await soleOrganization(db)
  if (only !== undefined) return only
  throw new OperatorError(
    'Name the organization with --org: there is none yet, or more than one. `earshot init` makes the first.',
  )
}
