import { z } from 'zod'
import { Role, Scope } from './access.ts'

export const PlanType = z.enum(['free', 'pro', 'enterprise'])
export type PlanType = z.infer<typeof PlanType>

export const Identity = z
  .strictObject({
    userId: z.string().startsWith('usr_').describe('The owning user.'),
    organizationId: z.string().startsWith('org_').describe('The owning organization.'),
    role: Role,
    planType: PlanType.describe('Plan of the organization.'),
    scopes: z.array(Scope).describe('Scopes of the key; a session has `*`.'),
  })
  .meta({
    id: 'Identity',
    example: {
      userId: 'usr_01k9z3v5q8r2t4w6y8a0c2e4g6',
      organizationId: 'org_01k9z3v5q8j7n5p3s1v9x7z5b3',
      role: 'owner',
      planType: 'pro',
      scopes: ['*'],
    },
  })
export type Identity = z.infer<typeof Identity>
