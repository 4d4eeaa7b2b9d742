// The forum's Atom feed.

import { htmlOf, permalinkOf } from './forum-json.ts'
import type { WorldPost } from './post.ts'
import { escapeAttribute } from './text.ts'

interface FeedTerms {
  /** Of the channel. */
  name: string
  changedAt: number
  siteUrl: string
}

export function atomFeed(posts: readonly WorldPost[], { name, changedAt, siteUrl }: FeedTerms) {
  const path = `/r/${escapeAttribute(name)}/new/`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">',
    categoryOf(name),
    `<updated>${atomTime(changedAt)}</updated>`,
    `<icon>https://www.redditstatic.com/icon.png/</icon><id>${path}.rss</id>`,
    `<link rel="self" href="${siteUrl}${path}.rss" type="application/atom+xml" />`,
    `<link rel="alternate" href="${siteUrl}${path}" type="text/html" />`,
    `<title>newest submissions : ${escapeAttribute(name)}</title>`,
    ...posts.map((post) => entry(post, siteUrl)),
    '</feed>',
  ].join('')
}

function entry(post: WorldPost, siteUrl: string): string {
  const author = escapeAttribute(post.author)
  const link = escapeAttribute(`${siteUrl}${permalinkOf(post)}`)
  const time = atomTime(post.createdAt)
  return [
    `<entry><author><name>/u/${author}</name><uri>${siteUrl}/user/${author}</uri></author>`,
    categoryOf(post.subforum),
    `<content type="html">${escapeAttribute(contentOf(post, siteUrl))}</content>`,
    `<id>t3_${post.forumId}</id><link href="${link}" />`,
    `<updated>${time}</updated><published>${time}</published>`,
    `<title>${escapeAttribute(post.title)}</title></entry>`,
  ].join('')
}

/** The body, if there is one, and the line that the platform puts under every post. */
function contentOf(post: WorldPost, siteUrl: string): string {
  const author = escapeAttribute(post.author)
  const comments = escapeAttribute(`${siteUrl}${permalinkOf(post)}`)
  const link = post.url === null ? comments : escapeAttribute(post.url)
  return [
    post.url === null ? (htmlOf(post) ?? '') : '',
    `submitted by &#32; <a href="${siteUrl}/user/${author}"> /u/${author} </a> <br/>`,
    `<span><a href="${link}">[link]</a></span>`,
    `<span><a href="${comments}">[comments]</a></span>`,
  ].join(' &#32; ')
}

function categoryOf(name: string): string {
  const term = escapeAttribute(name)
  return `<category term="${term}" label="r/${term}"/>`
}

function atomTime(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}+00:00`
}
