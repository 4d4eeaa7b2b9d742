import type { Route } from '../route.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { changePassword } from './change-password.ts'
import { changeRecords } from './change-records.ts'
import { changeRole } from './change-role.ts'
import { createKey } from './create-key.ts'
import { getMe } from './get-me.ts'
import { invite } from './invite.ts'
import { listInvitations } from './list-invitations.ts'
import { listKeys } from './list-keys.ts'
import { listMembers } from './list-members.ts'
import { listOrganizations } from './list-organizations.ts'
import { listRecords } from './list-records.ts'
import { removeMember } from './remove-member.ts'
import { revokeInvitation } from './revoke-invitation.ts'
import { revokeKey } from './revoke-key.ts'
import { search } from './search.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { switchOrganization } from './switch-organization.ts'

/** Every operation, in the order of the reference: the API first, then the dashboard's own. */
export const ROUTES: readonly Route[] = [
  search,
  listRecords,
  getMe,
  signIn,
  signOut,
  changePassword,
  listOrganizations,
  switchOrganization,
  changeRecords,
  listKeys,
  createKey,
  revokeKey,
  listMembers,
  changeRole,
  removeMember,
  listInvitations,
  invite,
  revokeInvitation,
  acceptInvitation,
]
