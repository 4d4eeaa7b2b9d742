import type { Command } from 'commander'
import { addWebhooksCreate } from './webhooks-create.ts'
import { addWebhooksDelete } from './webhooks-delete.ts'
import { addWebhooksDisable, addWebhooksEnable } from './webhooks-enable.ts'
import { addWebhooksHealth } from './webhooks-health.ts'
import { addWebhooksList } from './webhooks-list.ts'
import { addWebhooksRedeliver } from './webhooks-redeliver.ts'
import { addWebhooksRotate } from './webhooks-rotate.ts'
import { addWebhooksTest } from './webhooks-test.ts'
import { addWebhooksUpdate } from './webhooks-update.ts'
import { addWebhooksVerify } from './webhooks-verify.ts'

export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('where events are sent to')
  addWebhooksCreate(webhooks)
  addWebhooksList(webhooks)
  addWebhooksUpdate(webhooks)
  addWebhooksHealth(webhooks)
  addWebhooksRedeliver(webhooks)
  addWebhooksTest(webhooks)
  addWebhooksRotate(webhooks)
  addWebhooksEnable(webhooks)
  addWebhooksDisable(webhooks)
  addWebhooksDelete(webhooks)
  addWebhooksVerify(webhooks)
}
