import { deleteSession } from '../../accounts/session-store.ts'
import { SignOut } from '../../contract/session.ts'
import { route, sessionOf } from '../route.ts'
import { clearSessionCookie } from '../session-cookie.ts'

export const signOut = route(SignOut, async (call) => {
  const { app, reply } = call
  await deleteSession(app.db, sessionOf(call))
  clearSessionCookie(reply, app.config.production)
  return {}
})
