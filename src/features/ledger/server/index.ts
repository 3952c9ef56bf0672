import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { repeated } from '#server/repeated.ts'
import { errors } from '../errors.ts'
import { refuseJob } from './calls/refuse.ts'
import { hookJob } from './hooks/hooks.ts'
import { recoverIngest, resumeIngest, stopIngest } from './ingest/ingest.ts'
import { linkCardJob } from './links/cards.ts'
import { downloadJob, recoverDownloads } from './media/download.ts'
import { sendJob, stopJob } from './outbox/outbox.ts'
import { recoverSends, resumeJob } from './outbox/wake.ts'
import { groupNewsJob } from './ports/group-news.ts'
import { statusJob } from './ports/statuses.ts'

const RECOVER_EVERY_MS = 5000
const RECOVER_SENDS_EVERY_MS = 300_000
/** Time without an update after which a waiting send counts as abandoned, in ms; longer than the longest retry delay. */
const SEND_UNTOUCHED_MS = 600_000

/** Feature of the message ledger: journal, writing of tickets and messages, sending, and audit trail. */
export const ledgerFeature: Feature = {
  name: 'ledger',
  errors,
  constraints: {
    tickets_one_line: 'ERR_OTHER_OPEN_TICKET',
    tickets_one_person: 'ERR_OTHER_OPEN_TICKET',
  },
  jobs: [groupNewsJob, sendJob, hookJob, linkCardJob, downloadJob, refuseJob, resumeJob, statusJob, stopJob],
  async start(platform) {
    const { carefully, every, stop } = repeated(platform)
    const recover = carefully(() => recoverIngest(platform))
    await recover()
    const resume = carefully(() => resumeIngest(platform))
    platform.bus.onMissed((state) => state === 'recovered' && void resume())
    await carefully(() => recoverSends(platform, 0))()
    every(RECOVER_EVERY_MS, () => recoverIngest(platform))
    if (plays(platform.env, 'worker')) every(RECOVER_SENDS_EVERY_MS, () => recoverDownloads(platform))
    every(RECOVER_SENDS_EVERY_MS, () => recoverSends(platform, SEND_UNTOUCHED_MS))
    return async () => {
      stop()
      await stopIngest(platform)
    }
  },
}
