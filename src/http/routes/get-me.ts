import { GetMe } from '../../contract/get-me.ts'
import { callerOf, route } from '../route.ts'

export const getMe = route(GetMe, (call) => callerOf(call).identity)
