import { Identity } from './identity.ts'
import { operation } from './operation.ts'

export const GetMe = operation({
  id: 'getMe',
  method: 'GET',
  path: '/v1/me',
  summary: 'Verify a key and read the identity bound to it.',
  access: { kind: 'api', scope: null },
  response: Identity,
})
