// Headers that every answer carries. JSON needs nothing from a browser, so its policy allows
// nothing; the pages we serve say what they need in their own policy.

const JSON_POLICY =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const ALWAYS = {
  'content-security-policy': JSON_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** A year: browsers that came once over https do not come over http again. */
const IN_PRODUCTION = { 'strict-transport-security': 'max-age=31536000' }

export function securityHeaders(production: boolean): Record<string, string> {
  return production ? { ...ALWAYS, ...IN_PRODUCTION } : ALWAYS
}
