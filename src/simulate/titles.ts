import type { Platform } from '../contract/platform.ts'
import { between, pick, type Random } from './random.ts'
import { AUDIENCES, COMPLAINTS, FEELINGS, NEEDS, PRODUCTS } from './vocabulary.ts'

type Words = Record<'product' | 'rival' | 'need' | 'audience' | 'complaint', string>
type Template = (words: Words) => string

/** What a post is about, which its title and its body share. */
export function drawWords(random: Random): Words {
  const position = between(random, 0, PRODUCTS.length - 1)
  const step = between(random, 1, PRODUCTS.length - 1) // never all the way round to itself
  return {
    product: PRODUCTS[position] ?? PRODUCTS[0],
    rival: PRODUCTS[(position + step) % PRODUCTS.length] ?? PRODUCTS[0],
    need: pick(random, NEEDS),
    audience: pick(random, AUDIENCES),
    complaint: pick(random, COMPLAINTS),
  }
}

const QUESTIONS: [Template, ...Template[]] = [
  ({ product }) => `Looking for an alternative to ${product}`,
  ({ product, rival }) => `${product} vs ${rival}: what would you pick in your place?`,
  ({ need, audience }) => `What do you use for ${need}? (${audience})`,
  ({ product, audience }) => `Is ${product} overkill for ${audience}?`,
  ({ product, complaint }) => `${product} ${complaint}. Anyone else?`,
  ({ product, need }) => `Happy to pay for ${need}: is ${product} worth it?`,
  ({ product, rival }) => `How do I move 3 years of data from ${product} to ${rival}?`,
]

const LINKS: [Template, ...Template[]] = [
  ({ product, rival }) => `Why we moved from ${product} to ${rival}`,
  ({ product }) => `${product} 4.0 is out`,
  ({ product, need }) => `Using ${product} for ${need}: lessons after a year`,
  ({ product }) => `${product} raises its prices & drops the free plan`,
  ({ product, complaint }) => `"${product} ${complaint}" – a post-mortem`,
  ({ need, audience }) => `A guide to ${need} for ${audience}`,
]

const JOBS: [Template, ...Template[]] = [
  ({ product }) => `${product} (YC S21) is hiring a founding engineer (remote)`,
  ({ product, need }) => `${product} is hiring to rebuild ${need}`,
]

const TEMPLATES: Record<string, [Template, ...Template[]]> = {
  question: QUESTIONS,
  link: LINKS,
  job: JOBS,
  ask: [
    ({ need }) => `Ask HN: What do you use for ${need}?`,
    ({ product }) => `Ask HN: Alternatives to ${product}?`,
    ({ product, complaint }) => `Ask HN: ${product} ${complaint}. What now?`,
  ],
  show: [
    ({ need, audience }) => `Show HN: A small tool for ${need}, made for ${audience}`,
    ({ product }) => `Show HN: I rebuilt ${product} in 2,000 lines`,
  ],
}

export type TitleKind = 'question' | 'link' | 'job' | 'ask' | 'show'

export function title(kind: TitleKind, words: Words, random: Random): string {
  const text = pick(random, TEMPLATES[kind] ?? QUESTIONS)(words)
  return random() < 0.08 ? `${text} ${pick(random, FEELINGS)}` : text
}

/** As people type it: only the forum knows lists and named links. */
export function body(words: Words, random: Random, platform: Platform): string {
  const paragraphs = [...plainParagraphs(words), ...(platform === 'forum' ? rich(words) : [])]
  const chosen = paragraphs.filter(() => random() < 0.55)
  return [...chosen, `Thanks ${pick(random, FEELINGS)}`].join('\n\n')
}

function plainParagraphs({ product, rival, need, audience }: Words): string[] {
  const manual = `https://docs.example.org/${rival.toLowerCase().replaceAll(' ', '-')}`
  return [
    `We are ${audience} and have used ${product} for *years*. Lately ${need} takes more time than it saves.`,
    `I have read ${manual} & still don't know if it is < or > what we have.`,
    `    ${product.toLowerCase()} export --all | grep "error"`,
  ]
}

function rich({ product, rival, need }: Words): string[] {
  return [
    `What matters to us:\n\n- **${need}**, without a spreadsheet\n- runs on our own server\n- under $20 / month`,
    `Somebody recommended [${rival}](https://www.example.com/?from=${product.length}&q=1). Does it hold up?`,
  ]
}
