import { describe, expect, test } from 'vitest'
import { AddressRules } from './address-rules.ts'

const production = new AddressRules({ onlyPublic: true, open: [] })

describe('in production', () => {
  test.each([
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
    ['private', ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1']],
    ['link-local', ['169.254.0.1', '169.254.169.254', 'fe80::1', 'febf::1', 'fe80::1%eth0']],
    ['of a carrier', ['100.64.0.1', '100.127.255.255']],
    ['unique-local', ['fc00::1', 'fd00:ec2::254', 'fdff::1']],
    ['site-local of old', ['fec0::1']],
    ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1']],
    ['broadcast', ['255.255.255.255']],
    ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
    ['reserved', ['240.0.0.1', '254.1.1.1', '192.0.0.8', '192.88.99.1', '4000::1', '100::1']],
    ['for measurements', ['198.18.0.1', '198.19.255.255', '2001:2::1']],
    ['for documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1']],
    ['v4-mapped', ['::ffff:127.0.0.1', '::ffff:a00:1', '::ffff:169.254.169.254', '::ffff:0:0']],
    ['v4-compatible', ['::127.0.0.1', '::10.0.0.1']],
    ['v4-translated', ['::ffff:0:127.0.0.1']],
    ['NAT64', ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::1', '64:ff9b:1:fffe::a00:1']],
    ['6to4', ['2002:7f00:1::1', '2002:a00:1::', '2002:c0a8:101::1']],
    ['Teredo', ['2001:0:4136:e378:8000:63bf:80ff:fffe', '2001::1']],
  ])('what is %s is refused', (_name, addresses) => {
    expect(addresses.filter((address) => production.admits(address))).toEqual([])
  })

  test.each([
    ['IPv4', ['1.1.1.1', '93.184.216.34', '9.255.255.255', '11.0.0.0', '223.255.255.255']],
    ['IPv4 beside what is not', ['100.63.255.255', '100.128.0.0', '172.15.0.1', '172.32.0.1']],
    ['IPv6', ['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2003::1']],
    ['IPv4 in the clothes of IPv6', ['::ffff:93.184.216.34', '::ffff:101:101']],
  ])('public %s is admitted', (_name, addresses) => {
    expect(addresses.filter((address) => !production.admits(address))).toEqual([])
  })
})

describe('ranges that are opened', () => {
  const open = ['10.1.0.0/16', '192.168.7.7/32', 'fd12:3456::/32']
  const rules = new AddressRules({ onlyPublic: true, open })

  test.each(['10.1.0.0', '10.1.255.255', '::ffff:10.1.2.3', '192.168.7.7', 'fd12:3456::1'])(
    '%s is in one of them and admitted',
    (address) => {
      expect(rules.admits(address)).toBe(true)
    },
  )

  test.each(['10.0.255.255', '10.2.0.0', '192.168.7.8', 'fd12:3457::1', '127.0.0.1', '::a01:1'])(
    '%s is in none of them and refused',
    (address) => {
      expect(rules.admits(address)).toBe(false)
    },
  )

  test('public addresses stay admitted', () => {
    expect(rules.admits('93.184.216.34')).toBe(true)
  })
})

test.each(['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '93.184.216.34'])(
  'outside production %s is admitted like every other',
  (address) => {
    const rules = new AddressRules({ onlyPublic: false, open: [] })

    expect(rules.admits(address)).toBe(true)
  },
)

test.each(['', 'localhost', '1.2.3.4.5', ':::'])('"%s" is no address and refused', (text) => {
  expect(production.admits(text)).toBe(false)
})
