// One of each kind, as real as it can be without having happened: what the Test function sends, and the
// examples of the documentation.

import { isoTime } from '../lib/iso-time.ts'
import {
  ALERT_FIRED,
  CRAWL_RUN_COMPLETED,
  CURATION_BATCH_READY,
  type AlertFired,
  type CrawlRunCompleted,
  type CurationBatchReady,
  type EventKind,
} from './event.ts'

interface Terms {
  organizationId: string
  eventId: string
  now: number
  /** Makes an id with this prefix. */
  idOf(prefix: string): string
}

type EventBody = CrawlRunCompleted | AlertFired | CurationBatchReady

const SAMPLES: Record<EventKind, (terms: Terms) => EventBody> = {
  [CRAWL_RUN_COMPLETED]: sampleRun,
  [ALERT_FIRED]: sampleAlert,
  [CURATION_BATCH_READY]: sampleBatch,
}

export function sampleBody(kind: EventKind, terms: Terms): EventBody {
  return SAMPLES[kind](terms)
}

function sampleRun({ organizationId, eventId, now, idOf }: Terms): CrawlRunCompleted {
  return {
    type: CRAWL_RUN_COMPLETED,
    created_at: isoTime(now),
    id: eventId,
    data: {
      organization_id: organizationId,
      run_id: idOf('run'),
      watcher_id: idOf('wat'),
      watcher_name: 'Sample watcher',
      platform: 'forum',
      subforum: 'selfhosted',
      status: 'ok',
      posts_fetched: 100,
      matched: 3,
      tagged: 2,
      new_posts: 12,
      errored: false,
      error: null,
      duration_ms: 840,
      started_at: isoTime(now - 840),
    },
  }
}

function sampleAlert({ organizationId, eventId, now, idOf }: Terms): AlertFired {
  return {
    type: ALERT_FIRED,
    created_at: isoTime(now),
    id: eventId,
    data: {
      organization_id: organizationId,
      alert_id: idOf('alr'),
      alert_name: 'Sample alert',
      watcher_id: null,
      condition: 'matches',
      window_minutes: 60,
      count: 5,
      threshold: 5,
      fired_at: isoTime(now),
      records: [
        {
          id: idOf('rec'),
          title: 'Which backup tool would you buy today?',
          permalink: 'https://www.reddit.com/r/selfhosted/comments/1oq3k9x/',
          subforum: 'selfhosted',
          platform: 'forum',
          forumCreatedAt: isoTime(now),
        },
      ],
    },
  }
}

function sampleBatch({ organizationId, eventId, now, idOf }: Terms): CurationBatchReady {
  return {
    event: CURATION_BATCH_READY,
    event_id: eventId,
    delivered_at: isoTime(now),
    organization_id: organizationId,
    data: {
      batch_id: idOf('batch'),
      opportunities: [
        {
          id: idOf('opp'),
          post_id: '1oq3k9x',
          subforum: 'selfhosted',
          title: 'Which backup tool would you buy today?',
          url: 'https://www.reddit.com/r/selfhosted/comments/1oq3k9x/',
          scores: { fit: 0.82, relevance: 0.74, survival: 'MEDIUM' },
          engagement_brief: {
            verdict: 'ENGAGE',
            approach: 'Answer the question first; name the product once, and say that it is yours.',
            warnings: ['This channel removes posts that only advertise.'],
          },
        },
      ],
    },
  }
}
