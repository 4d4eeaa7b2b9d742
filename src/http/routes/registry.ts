import type { Route } from '../route.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { changePassword } from './change-password.ts'
import { changeRecords } from './change-records.ts'
import { changeRole } from './change-role.ts'
import { changeWebhook } from './change-webhook.ts'
import { createKey } from './create-key.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { disableWebhook } from './disable-webhook.ts'
import { enableWebhook } from './enable-webhook.ts'
import { getDelivery } from './get-delivery.ts'
import { getMe } from './get-me.ts'
import { getRedelivery } from './get-redelivery.ts'
import { getWebhookHealth } from './get-webhook-health.ts'
import { getWebhook } from './get-webhook.ts'
import { invite } from './invite.ts'
import { listDeliveries } from './list-deliveries.ts'
import { listInvitations } from './list-invitations.ts'
import { listKeys } from './list-keys.ts'
import { listMembers } from './list-members.ts'
import { listOrganizations } from './list-organizations.ts'
import { listRecords } from './list-records.ts'
import { listWebhooks } from './list-webhooks.ts'
import { redeliverAll } from './redeliver-all.ts'
import { redeliver } from './redeliver.ts'
import { removeMember } from './remove-member.ts'
import { revokeInvitation } from './revoke-invitation.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateSecret } from './rotate-secret.ts'
import { search } from './search.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { switchOrganization } from './switch-organization.ts'
import { testWebhook } from './test-webhook.ts'

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
  listWebhooks,
  createWebhook,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  rotateSecret,
  enableWebhook,
  disableWebhook,
  testWebhook,
  getWebhookHealth,
  redeliverAll,
  getRedelivery,
  listDeliveries,
  getDelivery,
  redeliver,
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
