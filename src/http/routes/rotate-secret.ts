import { RotateSecret } from '../../contract/webhook.ts'
import { rotateSecret as rotate } from '../../events/rotate-secret.ts'
import { ownThing } from '../own-thing.ts'
import { route } from '../route.ts'
import { webhookContext } from '../../webhook-context.ts'

export const rotateSecret = route(RotateSecret, (call) =>
  rotate(webhookContext(call.app), ownThing(call), call.body),
)
