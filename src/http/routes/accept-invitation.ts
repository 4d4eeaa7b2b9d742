import { acceptInvitation as accept, invitedEmail } from '../../accounts/accept-invitation.ts'
import { AcceptInvitation } from '../../contract/member.ts'
import { AppError } from '../../errors.ts'
import { route } from '../route.ts'
import { setSessionCookie } from '../session-cookie.ts'

export const acceptInvitation = route(
  AcceptInvitation,
  async ({ app, body, limits, request, reply }) => {
    const now = app.clock()
    // By the account, as at sign-in: another invitation gives nobody more guesses.
    const account = (await invitedEmail(app.db, body.token, now)) ?? body.token
    limits.logins.begin(request.ip, account)
    const { sessionMs } = app.config.accounts
    const session = await accept(app.db, body, { now, sessionMs })
    if (session === null) {
      throw new AppError(
        'UNAUTHORIZED',
        'This invitation cannot be used: it is unknown, used or expired, or the password is not that of the invited account.',
      )
    }
    limits.logins.succeed(request.ip, account)
    setSessionCookie(reply, session, app.config.production)
    return session.identity
  },
)
