import type { ImapFlow } from 'imapflow'
import { itemAt, lastOf } from '#domain/present.ts'
import { byteGate } from '#kit/byte-gate.ts'
import { type ChannelTools, isSendFailure, type Link, needsPerson } from '../port.ts'
import { makeRest } from '../rest.ts'
import type { MailAccount } from './account.ts'
import { makeArrivals, sentProof } from './arrivals.ts'
import { ownIdOf } from './ids.ts'
import { openImap, sentFolder, storesCopies } from './imap.ts'
import { partsOf } from './parts.ts'
import { isLoginRefused } from './problems.ts'
import type { ReadMail } from './read-mail.ts'

/** Intervals of looking at a mailbox with IDLE and at one without, in ms. */
const LOOK_MS = 5 * 60_000
const POLL_MS = 60_000
/** Maximum size of a mail that is read, in bytes: 25 MB of files, encoded. */
const MOST_SOURCE = 36_000_000
/** Maximum number of mails, and of their bytes, that are fetched together. */
const MOST_MAILS = 10
const MOST_BYTES = 8_000_000
/** Maximum number of bytes of mails that are parsed at once in this process, as each is in memory three times. */
const MOST_AT_ONCE = 64_000_000
/** Size below which mails are parsed without waiting, in bytes. */
const SMALL = 1_000_000
const throughGate = byteGate(MOST_AT_ONCE)
/** Overlap with the last known mail when a mailbox is renumbered, in ms. */
const OVERLAP_MS = 2 * 86_400_000
/** Delays after a lost response before the Sent folder is searched for the mail, in ms. */
const ASKED_AFTER_MS = [2000, 10_000, 30_000, 120_000]

/** Reading position of a mailbox: highest UID, valid for `validity`, and the time of its mail (epoch ms). */
type Cursor = { readonly validity: string; readonly uid: number; readonly at: number }
const CURSOR = 'inbox'

type Listed = { readonly uid: number; readonly size: number }

/** Life cycle of a mailbox: emits new mails in order, and settles mails whose response was lost. */
export function mailboxLife(account: MailAccount, tools: ChannelTools) {
  const rest = makeRest()
  let client: ImapFlow | null = null
  let current: Link | null = null
  /** Times of the next searches of the Sent folder, by the process's clock; the first is at the start. */
  let asks: number[] = [0]

  async function live(link: Link): Promise<void> {
    const mailbox = await openImap(account, tools)
    client = mailbox
    if (rest.isOver()) return mailbox.close()
    mailbox.on('exists', rest.wake)
    mailbox.on('close', rest.wake)
    current = link
    const arrivals = makeArrivals(link.ledger, account.from)
    const stored = (await link.state.get([CURSOR])).get(CURSOR) as Cursor | undefined
    // Mails after the reported connection come after this cursor.
    let cursor = await openInbox(mailbox, link, stored)
    await link.status('CONNECTED', { number: account.from })
    cursor = await look(mailbox, link, arrivals, cursor)
    await link.caughtUp(0)
    while (!rest.isOver()) {
      if (!mailbox.usable) throw new Error('the mailbox was closed')
      // Incoming mails do not wait for this.
      await askForSent(mailbox, link).catch((err: unknown) => {
        if (!mailbox.usable) throw err
        tools.log.warn({ err }, 'what was sent could not be looked at')
      })
      cursor = await look(mailbox, link, arrivals, cursor)
      const most = mailbox.capabilities.has('IDLE') ? LOOK_MS : POLL_MS
      await rest.pause(Math.max(0, Math.min(most, ...asks.map((at) => at - performance.now()))))
    }
  }

  /** Opens the inbox read-only and returns the reading position. If it was renumbered, mails of the last days are read again. */
  async function openInbox(mailbox: ImapFlow, link: Link, before: Cursor | undefined): Promise<Cursor> {
    const { uidValidity, uidNext } = await mailbox.mailboxOpen('INBOX', { readOnly: true })
    const validity = String(uidValidity)
    if (before?.validity === validity) return before
    const now = tools.now().getTime()
    const from = before ? before.at - OVERLAP_MS : now - account.days * 86_400_000
    const isRead = before !== undefined || account.days > 0
    const uids = isRead ? await mailbox.search({ since: new Date(from) }, { uid: true }) : []
    const first = uids && uids.length > 0 ? Math.min(...uids) : uidNext
    const cursor = { validity, uid: first - 1, at: before?.at ?? now }
    await link.emit([], new Map([[CURSOR, cursor]]))
    return cursor
  }

  /** Emits all new mails; returns the new reading position. */
  async function look(
    mailbox: ImapFlow,
    link: Link,
    arrivals: ReturnType<typeof makeArrivals>,
    before: Cursor,
  ): Promise<Cursor> {
    let cursor = await openInbox(mailbox, link, before)
    for (const batch of batchesOf(await listAfter(mailbox, cursor.uid))) {
      const { mails, events } = await takeApart(mailbox, batch, arrivals)
      let from = 0
      for (const upTo of partsOf(events)) {
        const at = Math.max(cursor.at, ...mails.slice(from, upTo).map(({ receivedAt }) => receivedAt))
        const { uid } = upTo === mails.length ? lastOf(batch) : itemAt(mails, upTo - 1)
        cursor = { ...cursor, uid, at }
        await link.emit(events.slice(from, upTo).flat(), new Map([[CURSOR, cursor]]))
        from = upTo
      }
      if (rest.isOver()) break
    }
    return cursor
  }

  /** Returns the mails after a UID, in order. */
  async function listAfter(mailbox: ImapFlow, after: number): Promise<Listed[]> {
    const all = await mailbox.fetchAll(`${after + 1}:*`, { uid: true, size: true }, { uid: true })
    // For a range after the last mail, a server returns the last mail.
    const listed = all.flatMap(({ uid, size }) => (uid > after ? [{ uid, size: size ?? 0 }] : []))
    return listed.sort((a, b) => a.uid - b.uid)
  }

  /** Fetches and parses mails, storing their files; returns their events, with UIDs and times of arrival. */
  function takeApart(mailbox: ImapFlow, batch: readonly Listed[], arrivals: ReturnType<typeof makeArrivals>) {
    const work = async () => {
      const mails = await fetchMails(mailbox, batch)
      const events = await arrivals.of(mails.map(({ mail }) => mail))
      return { events, mails: mails.map(({ uid, receivedAt }) => ({ uid, receivedAt })) }
    }
    const bytes = batch.reduce((sum, { size }) => sum + Math.min(size, MOST_SOURCE), 0)
    return bytes > SMALL ? throughGate(bytes, work) : work()
  }

  async function fetchMails(mailbox: ImapFlow, batch: readonly Listed[]) {
    const query = { uid: true, internalDate: true, source: { maxLength: MOST_SOURCE } }
    const found = await mailbox.fetchAll(batch.map(({ uid }) => uid).join(), query, { uid: true })
    const { readMail } = await import('./read-mail.ts')
    const mails: { uid: number; mail: ReadMail; receivedAt: number }[] = []
    for (const { uid, source, internalDate } of found.sort((a, b) => a.uid - b.uid)) {
      if (!source) continue
      // Servers give whole seconds: the mail is placed at the end of its second, after messages sent in it.
      const now = tools.now().getTime()
      const receivedAt = Math.min(now, new Date(internalDate ?? now).getTime() + 999)
      mails.push({ uid, mail: await readMail(source, { receivedAt, own: account.own }), receivedAt })
    }
    return mails
  }

  /** Searches the Sent folder for mails without a response, and emits proofs of sending. */
  async function askForSent(mailbox: ImapFlow, link: Link): Promise<void> {
    const isDue = asks.some((at) => at <= performance.now())
    if (!isDue) return
    asks = asks.filter((at) => at > performance.now())
    const unanswered = await link.ledger.unanswered()
    const folder = unanswered.length > 0 ? await sentFolder(mailbox) : null
    if (folder === null) return
    await mailbox.mailboxOpen(folder, { readOnly: true })
    const left: string[] = []
    for (const messageId of unanswered) {
      const header = { 'message-id': ownIdOf(messageId, account.from) }
      if (((await mailbox.search({ header }, { uid: true })) || []).length > 0) left.push(messageId)
    }
    const known = await link.ledger.known({ providerIds: [], messageIds: left })
    const now = tools.now().getTime()
    await link.emit(
      known.flatMap(({ messageId, conversationKey }) =>
        messageId ? [sentProof(messageId, ownIdOf(messageId, account.from), conversationKey, now)] : [],
      ),
    )
  }

  return {
    open: (link: Link) =>
      live(link)
        .catch((error: unknown) => {
          if (rest.isOver()) return
          if (isSendFailure(error) && error.stops) throw needsPerson(error.message, error.stops)
          throw isLoginRefused(error) ? needsPerson('the server refused user or password', 'refused') : error
        })
        .finally(() => {
          current = null
          client?.close()
        }),
    async close() {
      rest.end()
      client?.close()
    },
    /** Looks at the mailbox at once. */
    look: rest.wake,
    /** Returns the open link; null if none is open. */
    link: () => current,
    /** Schedules searches of the Sent folder for messages without a response, soon and again later. */
    askSoon() {
      asks = [...asks, ...ASKED_AFTER_MS.map((ms) => performance.now() + ms)]
      rest.wake()
    },
    /** Stores a copy of a sent mail, unless the server does so itself; opens the mailbox if it is not open here. */
    async storeCopy(copy: Buffer) {
      if (storesCopies(client, account)) return
      const mailbox = client?.usable ? client : await openImap(account, tools)
      try {
        const folder = storesCopies(mailbox, account) ? null : await sentFolder(mailbox)
        if (folder !== null) await mailbox.append(folder, copy, ['\\Seen'])
      } finally {
        if (mailbox !== client) mailbox.close()
      }
    },
  }
}

/** Splits mails into batches that are fetched together. */
function batchesOf(listed: readonly Listed[]): Listed[][] {
  const batches: Listed[][] = []
  let bytes = 0
  for (const one of listed) {
    const last = batches.at(-1)
    const fits = last && last.length < MOST_MAILS && bytes + one.size <= MOST_BYTES
    if (fits) last.push(one)
    else batches.push([one])
    bytes = fits ? bytes + one.size : one.size
  }
  return batches
}
