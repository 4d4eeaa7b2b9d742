// Which addresses may be connected to: those out on the internet, and whatever is opened by hand. What is
// not known to be public is not.

import ipaddr from 'ipaddr.js'

/** Never a word about which address it is: whoever chose the name would learn the network from it. */
export const NOT_PUBLIC =
  'The address is not public. Allow its range with EARSHOT_WEBHOOK_ALLOW_CIDRS if it is yours.'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** Everything that is out on the internet in IPv6; special parts of it are told apart by the library. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

export class AddressRules {
  readonly #onlyPublic: boolean
  readonly #open: readonly Range[]

  constructor({ onlyPublic, open }: { onlyPublic: boolean; open: readonly string[] }) {
    this.#onlyPublic = onlyPublic
    this.#open = open.map((range) => ipaddr.parseCIDR(range))
  }

  admits(text: string): boolean {
    if (!this.#onlyPublic) return true
    if (!ipaddr.isValid(text)) return false
    // An IPv4 address in the clothes of an IPv6 one is what it is.
    const address = ipaddr.process(text)
    return isPublic(address) || this.#open.some((range) => isIn(address, range))
  }
}

function isPublic(address: Address): boolean {
  const isGlobal = address.kind() === 'ipv4' || isIn(address, GLOBAL_UNICAST)
  return isGlobal && address.range() === 'unicast'
}

function isIn(address: Address, [range, bits]: Range): boolean {
  return address.kind() === range.kind() && address.match(range, bits)
}
