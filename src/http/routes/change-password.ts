import { changePassword as change } from '../../accounts/change-password.ts'
import { ChangePassword } from '../../contract/session.ts'
import { AppError } from '../../errors.ts'
import { callerOf, route, sessionOf } from '../route.ts'

export const changePassword = route(ChangePassword, async (call) => {
  const { app, body, limits, request } = call
  const { userId } = callerOf(call).identity
  limits.logins.begin(request.ip, userId)
  const changed = await change(app.db, { personId: userId, ...body, tokenHash: sessionOf(call) })
  if (changed) {
    limits.logins.succeed(request.ip, userId)
    return {}
  }
  const details = [{ path: 'current', message: 'This is not your password.' }]
  throw new AppError('INVALID_REQUEST', 'The current password is not right.', { details })
})
