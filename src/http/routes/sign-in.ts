import { signIn as openSessionFor } from '../../accounts/sign-in.ts'
import { SignIn } from '../../contract/session.ts'
import { AppError } from '../../errors.ts'
import { route } from '../route.ts'
import { setSessionCookie } from '../session-cookie.ts'

export const signIn = route(SignIn, async ({ app, body, limits, request, reply }) => {
  limits.logins.begin(request.ip, body.email)
  const { sessionMs } = app.config.accounts
  const session = await openSessionFor(app.db, body, { now: app.clock(), sessionMs })
  if (session === null) {
    throw new AppError('UNAUTHORIZED', 'E-mail and password do not belong together.')
  }
  limits.logins.succeed(request.ip, body.email)
  setSessionCookie(reply, session, app.config.production)
  return session.identity
})
