import { describe, expect, test } from 'vitest'
import { CreateWebhook, ListWebhooks } from '#src/contract/webhook.ts'
import { dataOf, invalidPaths } from '#test/support/answers.ts'
import { expectFailure, type Answer, type Client } from '#test/support/client.ts'
import { signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp } from '#test/support/test-app.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  EARSHOT_SECRET: 'a secret of enough characters to be one',
}

const LONGEST = `https://hooks.example.com/${'x'.repeat(2_048 - 'https://hooks.example.com/'.length)}`

describe.each(ENGINES)('where a webhook leads, on %s', (engine) => {
  test('it is an absolute http or https address without user, password and fragment', async () => {
    await using app = await testApp(engine)
    const owner = await signedIn(app)
    const { id } = dataOf(await create(owner, 'https://hooks.example.com/'), CreateWebhook)
    const mistakes: [url: string, message: RegExp][] = [
      ['hooks.example.com/in', /whole address/],
      ['/in', /whole address/],
      ['//hooks.example.com/in', /whole address/],
      ['https://', /whole address/],
      ['ftp://hooks.example.com', /whole address/],
      ['javascript:alert(1)', /whole address/],
      ['file:///etc/passwd', /whole address/],
      ['https://hooks.example.com:99999/', /whole address/],
      ['https://hooks.example.com/#part', /#/],
      ['https://hooks.example.com/?a=b#', /#/],
      ['https://user:s3cret@hooks.example.com/', /user and password/],
      ['https://s3cret@hooks.example.com/', /user and password/],
      ['https://:s3cret@hooks.example.com/', /user and password/],
      [`${LONGEST}x`, /2048 characters/],
    ]

    for (const [url, message] of mistakes) {
      for (const answer of [await create(owner, url), await change(owner, id, url)]) {
        expectBadUrl(answer, message)
      }
    }
    expect(await urlsOf(owner)).toEqual(['https://hooks.example.com/'])
  })

  test('it has up to 2,048 characters, and none of the blanks around it', async () => {
    await using app = await testApp(engine)
    const owner = await signedIn(app)

    const answers = [await create(owner, `  ${LONGEST}\n`), await change(owner, 'whk_no', LONGEST)]

    expect(answers.map(({ status }) => status)).toEqual([200, 404])
    expect(await urlsOf(owner)).toEqual([LONGEST])
  })

  test('outside production it may be http, and lead to this machine and this network', async () => {
    await using app = await testApp(engine)
    const owner = await signedIn(app)
    const urls = [
      'http://127.0.0.1:8080/',
      'http://[::1]:8080/',
      'https://localhost/',
      'http://10.1/',
    ]

    for (const url of urls) dataOf(await create(owner, url), CreateWebhook)

    expect((await urlsOf(owner)).toSorted()).toEqual(urls.toSorted())
  })

  test('in production it is https, to a public address', async () => {
    await using app = await testApp(engine, PRODUCTION)
    const owner = await signedIn(app)
    // One that nobody knows now may be known when something is sent: it is looked at then.
    const fine = ['https://1.1.1.1/', 'https://[2606:4700:4700::1111]/', 'https://nowhere.invalid/']
    const { id } = dataOf(await create(owner, 'https://8.8.8.8/'), CreateWebhook)

    for (const url of fine) dataOf(await create(owner, url), CreateWebhook)
    for (const url of ['http://1.1.1.1/', 'http://hooks.example.com/', 'http://127.0.0.1/']) {
      expectBadUrl(await create(owner, url), /Use https/)
      expectBadUrl(await change(owner, id, url), /Use https/)
    }
    for (const host of NOT_PUBLIC) {
      const path = '/?token=s3cret'
      expectBadUrl(await create(owner, `https://${host}${path}`), /address is not public/)
      expectBadUrl(await change(owner, id, `https://${host}:8443${path}`), /address is not public/)
    }

    expect((await urlsOf(owner)).toSorted()).toEqual([...fine, 'https://8.8.8.8/'].toSorted())
  })

  test('in production EARSHOT_WEBHOOK_ALLOW_CIDRS opens ranges, and only to https', async () => {
    const EARSHOT_WEBHOOK_ALLOW_CIDRS = '10.1.0.0/16, 127.0.0.0/8, fd00:1::/32'
    await using app = await testApp(engine, { ...PRODUCTION, EARSHOT_WEBHOOK_ALLOW_CIDRS })
    const owner = await signedIn(app)
    const open = ['10.1.2.3', '127.0.0.1', '[::ffff:10.1.2.3]', '[fd00:1::1]', '1.1.1.1']

    for (const host of open) dataOf(await create(owner, `https://${host}/`), CreateWebhook)
    for (const host of ['10.2.0.1', '192.168.0.1', '[::1]', '[fd00:2::1]']) {
      expectBadUrl(await create(owner, `https://${host}/`), /address is not public/)
    }
    expectBadUrl(await create(owner, 'http://10.1.2.3/'), /Use https/)

    expect(await urlsOf(owner)).toHaveLength(open.length)
  })
})

/** Of every kind that the decisions name, also in odd clothes. */
const NOT_PUBLIC = [
  '127.0.0.1',
  '127.1',
  '0x7f.0.0.1',
  '2130706433',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '192.0.2.1',
  '[::]',
  '[::1]',
  '[fc00::1]',
  '[fe80::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:7f00:1]',
  '[::10.0.0.1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::a00:1]',
  '[2002:a00:1::]',
  'localhost',
  'LOCALHOST',
]

function create(client: Client, url: string): Promise<Answer> {
  return client.post('/api/webhooks', { url, events: ['alert.fired'] })
}

function change(client: Client, id: string, url: string): Promise<Answer> {
  return client.send('PATCH', `/api/webhooks/${id}`, { body: { url } })
}

async function urlsOf(client: Client): Promise<string[]> {
  return dataOf(await client.get('/api/webhooks'), ListWebhooks).items.map(({ url }) => url)
}

/** Says what is wrong, where, and nothing of what was in the address. */
function expectBadUrl(answer: Answer, message: RegExp): void {
  expectFailure(answer, 400, 'INVALID_REQUEST')
  expect(invalidPaths(answer)).toEqual(['url'])
  expect(answer.body.error?.details?.[0]?.message).toMatch(message)
  expect(answer.body.error?.message).toMatch(message)
  expect(JSON.stringify(answer.body)).not.toMatch(/s3cret|hooks\.example/)
}
