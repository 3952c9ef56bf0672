import { describe, expect, test } from 'vitest'
import { messageRow } from '#features/messages/web/thread/sample-message.ts'
import { ticketRow } from '#features/tickets/web/lists/sample-ticket.ts'
import type { Preferences } from '#kit/preferences.ts'
import { type DueTicket, noticeOfDue } from './due.ts'
import { type IncomingEvent, type Reaction, reactionTo, reactionToAll, type Scene } from './reaction.ts'

const now = new Date('2026-11-20T14:00:00')
const me = { id: 7, name: 'Ana Lima' }
const ago = (minutes: number) => now.getTime() - minutes * 60_000
const iso = (minutes: number) => new Date(ago(minutes)).toISOString()

const preferences: Preferences = {
  enterSends: true,
  signs: true,
  signature: '',
  soundTicket: true,
  soundMessage: true,
  soundMention: true,
  volume: 100,
  quiet: false,
  quietFrom: '22:00',
  quietTo: '07:00',
  notices: true,
  undoSeconds: 0,
  opensNext: false,
  hidesFirstSteps: false,
  readWarnings: [],
}

type Told = Omit<Partial<Scene>, 'preferences'> & { preferences?: Partial<Preferences> }
const scene = ({ preferences: own, ...parts }: Told = {}): Scene => ({
  me,
  followed: new Set(),
  presence: new Set(),
  preferences: { ...preferences, ...own },
  sounds: true,
  now,
  lastSound: 0,
  ...parts,
})

const row = (parts: Parameters<typeof ticketRow>[0] = {}) =>
  ticketRow({ id: 5, unreadMessages: 1, updatedAt: iso(0), lastMessageAt: ago(0), ...parts })
const said = (parts: Parameters<typeof messageRow>[0] = {}) =>
  messageRow({ fromMe: false, isNote: false, timestamp: ago(0), createdAt: iso(0), ...parts })

const mine = { status: 'open', userId: me.id } as const
const waiting = { status: 'pending', userId: null } as const
const theirs = { status: 'open', userId: 8 } as const
const note = (mentioned: number[], userId = 8) =>
  said({ fromMe: true, isNote: true, userId, data: { mentions: { named: [], userIds: mentioned } } })

const message = (parts = {}, ticket: Parameters<typeof ticketRow>[0] = mine, missed = false): IncomingEvent => ({
  type: 'message',
  message: said(parts),
  ticket: row(ticket),
  missed,
})
const created = (ticket: Parameters<typeof ticketRow>[0] = waiting, missed = false): IncomingEvent => ({
  type: 'created',
  ticket: row(ticket),
  missed,
})
const moved = (ticket: Parameters<typeof ticketRow>[0], before?: string | null): IncomingEvent => ({
  type: 'moved',
  ticket: row(ticket),
  missed: false,
  before,
})

const called = (ticket: Parameters<typeof ticketRow>[0]): IncomingEvent => ({
  type: 'called',
  ticket: row(ticket),
  missed: false,
})

const dueTicket = (ticket: Parameters<typeof ticketRow>[0], part: Partial<DueTicket> = {}): DueTicket => ({
  ...row({ updatedAt: iso(60), lastMessageAt: ago(60), ...ticket }),
  ...{ clock: 'first', isMissed: true, publishedAt: ago(0), ...part },
})
const due = (ticket: Parameters<typeof ticketRow>[0], publishedAt = ago(0), missed = false): IncomingEvent => ({
  type: 'due',
  ticket: dueTicket(ticket, { publishedAt }),
  missed,
})

describe('what makes which sound', () => {
  const cases: [what: string, heard: IncomingEvent, sound: string | null][] = [
    ['a customer writes in a ticket of mine', message(), 'message'],
    ['in a group of mine', message({}, { ...mine, isGroup: true }), 'message'],
    ['in a ticket that is given back to the queue but stays mine', message({}, { ...waiting, userId: 7 }), 'message'],
    ['in a ticket of a colleague', message({}, theirs), null],
    ['in one that waits in a queue: it was told when it came', message({}, waiting), null],
    ['in a group of nobody', message({}, { ...waiting, isGroup: true }), null],
    ['in a ticket of mine that is closed meanwhile', message({}, { ...mine, status: 'closed' }), null],
    ['I write', message({ fromMe: true, userId: 7 }), null],
    ['a colleague writes in my ticket', message({ fromMe: true, userId: 8 }), null],
    ['a message that the channel delayed', message({ isLate: true }), null],
    ['a message of last week, imported now', message({ timestamp: ago(10_000) }), null],
    ['one that was missed a moment ago', message({ createdAt: iso(0.2), timestamp: ago(0.2) }, mine, true), 'message'],
    ['one that was missed ten minutes ago', message({ createdAt: iso(10), timestamp: ago(10) }, mine, true), null],
    ['a new ticket in a queue', created(), 'ticket'],
    ['a new ticket that is routed to me', created(mine), 'ticket'],
    ['a new ticket that is routed to a colleague', created(theirs), null],
    ['a new group', created({ ...waiting, isGroup: true }), null],
    ['a new group of mine', created({ ...mine, isGroup: true }), 'ticket'],
    ['a conversation that somebody of us starts', created({ ...mine, unreadMessages: 0 }), null],
    ['a new ticket out of a history', created({ ...waiting, lastMessageAt: ago(10_000) }), null],
    [
      'a new ticket that was missed long ago',
      created({ ...waiting, updatedAt: iso(10), lastMessageAt: ago(10) }, true),
      null,
    ],
    ['a waiting ticket is given to me', moved(mine, 'queue null'), 'ticket'],
    ['a ticket of a colleague is given to me', moved(mine, null), 'ticket'],
    ['one that this tab never heard of is given to me', moved(mine), 'ticket'],
    ['a colleague gives one back to the queue', moved(waiting, null), 'ticket'],
    ['a ticket changes the queue', moved({ ...waiting, queueId: 2 }, 'queue 1'), 'ticket'],
    ['something of a ticket of mine changes', moved(mine, 'mine'), null],
    ['something of a waiting one changes', moved(waiting, 'queue null'), null],
    ['one that this tab never heard of changes, but not its place', moved({ ...mine, updatedAt: iso(30) }), null],
    ['a colleague accepts', moved(theirs, 'queue null'), null],
    ['it is resolved', moved({ ...mine, status: 'closed' }, 'mine'), null],
    ['a colleague calls me to a ticket', called(theirs), 'ticket'],
    ['a deadline of one that has waited for an hour', due(waiting), 'ticket'],
    ['a deadline of a colleague’s that was missed, which leads are told', due(theirs), 'ticket'],
    ['a deadline that was told while this browser came back', due(mine, ago(0.5), true), 'ticket'],
    ['a deadline that was told an hour before it came back', due(mine, ago(60), true), null],
  ]
  test.each(cases)('%s', (_, heard, sound) => {
    expect(reactionTo(heard, scene())?.sound ?? null).toBe(sound)
  })

  const becameClosed: IncomingEvent = { type: 'followed', ticket: row({ ...theirs, status: 'closed' }), missed: false }
  const ofFollowed: [what: string, heard: IncomingEvent, presence: string[], sound: string | null][] = [
    ['a customer writes in a ticket that I follow', message({}, theirs), [], 'message'],
    ['a colleague writes in it', message({ fromMe: true, userId: 8 }, theirs), [], null],
    ['it is resolved', becameClosed, [], 'ticket'],
    ['I resolve it', becameClosed, ['changed /atendimento/5'], null],
    ['it is resolved while I look at it', becameClosed, ['front /atendimento/5'], null],
  ]
  test.each(ofFollowed)('%s', (_, heard, presence, sound) => {
    const told = scene({ followed: new Set([5]), presence: new Set(presence) })
    expect(reactionTo(heard, told)?.sound ?? null).toBe(sound)
  })

  const notes: [what: string, mentioned: number[], author: number, sound: string | null][] = [
    ['a note that mentions me, by name or in a team', [3, 7], 8, 'mention'],
    ['a note that mentions others', [3, 77], 8, null],
    ['a note that mentions nobody', [], 8, null],
    ['a note of mine', [7], 7, null],
  ]
  test.each(notes)('%s', (_, mentioned, author, sound) => {
    const heard: IncomingEvent = {
      type: 'message',
      message: note(mentioned, author),
      ticket: row(theirs),
      missed: false,
    }
    expect(reactionTo(heard, scene())?.sound ?? null).toBe(sound)
  })
})

describe('what keeps it back', () => {
  const full: Reaction = { kind: 'message', sound: 'message', notice: true }
  const mute = { ...full, sound: null }
  const night = new Date('2026-11-20T23:30:00')
  const cases: [what: string, scene: Told, reaction: Reaction][] = [
    ['nothing', {}, full],
    [
      'that conversation is being read in one of the tabs',
      { presence: new Set(['visible', 'front /atendimento/5']) },
      null,
    ],
    ['another one is', { presence: new Set(['visible', 'front /atendimento/55']) }, { ...full, notice: false }],
    ['the product is in sight', { presence: new Set(['visible']) }, { ...full, notice: false }],
    ['a voice note is being recorded', { presence: new Set(['recording']) }, mute],
    ['a sound was played a second ago', { lastSound: now.getTime() - 1000 }, mute],
    ['a sound was played two seconds ago', { lastSound: now.getTime() - 2000 }, full],
    ['the company wants no sounds', { sounds: false }, mute],
    ['the person wants no such sound', { preferences: { soundMessage: false } }, mute],
    ['the person wants no other sound', { preferences: { soundTicket: false, soundMention: false } }, full],
    ['the person wants no notices', { preferences: { notices: false } }, { ...full, notice: false }],
    ['quiet hours by day', { preferences: { quiet: true } }, full],
    ['quiet hours', { preferences: { quiet: true, quietFrom: '12:00', quietTo: '15:00' } }, null],
    ['quiet hours that are switched off', { now: night }, full],
  ]
  test.each(cases)('%s', (_, told, reaction) => {
    const heard = message({ timestamp: ago(0), createdAt: iso(0) })
    expect(reactionTo(heard, scene(told))).toEqual(reaction)
  })

  test('a change that was made in one of the tabs calls nobody', () => {
    const presence = new Set(['changed /atendimento/5'])
    expect(reactionTo(moved(mine, 'queue null'), scene({ presence }))).toBeNull()
    expect(reactionTo(message(), scene({ presence }))?.sound).toBe('message')
  })
})

describe('deadlines that come due together', () => {
  const many = Array.from({ length: 500 }, (_, n) => due({ ...mine, id: n + 1, name: `Cliente ${n + 1}` }))

  test('make one sound and one notice, without the conversation that is being read', () => {
    const presence = new Set(['front /atendimento/5'])
    const { sound, noticed } = reactionToAll(many, scene({ presence }))!
    expect([sound, noticed.length]).toEqual(['ticket', 499])
    expect(reactionToAll(many.slice(4, 5), scene({ presence }))).toBeNull()
    expect(reactionToAll(many, scene({ lastSound: now.getTime() - 1000 }))?.sound).toBeNull()
    expect(reactionToAll(many, scene({ presence: new Set(['visible']) }))).toEqual({ sound: 'ticket', noticed: [] })
  })

  const one = dueTicket({ id: 5, name: 'Ana' })
  const risky = (id: number, name: string) => dueTicket({ id, name }, { isMissed: false })
  test.each<[string, DueTicket[], ReturnType<typeof noticeOfDue>]>([
    ['one', [one], { title: 'Ana', text: 'Prazo estourado: primeira resposta', path: '/atendimento/5' }],
    [
      'one of which two clocks are',
      [risky(5, 'Ana'), one],
      { title: 'Ana', text: 'Prazo estourado: primeira resposta', path: '/atendimento/5' },
    ],
    [
      'two, one of them at risk',
      [risky(6, 'Bia'), one],
      { title: '1 prazo estourado, 1 prazo em risco', text: 'Bia, Ana', path: '/atendimento?tab=live&dueFirst=true' },
    ],
    [
      'five at risk',
      ['Ana', 'Bia', 'Caio', 'Davi', 'Eva'].map((name, n) => risky(n + 1, name)),
      { title: '5 prazos em risco', text: 'Ana, Bia, Caio e mais 2', path: '/atendimento?tab=live&dueFirst=true' },
    ],
    [
      'two that are over',
      [dueTicket({ id: 6, name: 'Bia' }), one],
      { title: '2 prazos estourados', text: 'Bia, Ana', path: '/atendimento?tab=live&sla=missed' },
    ],
  ])('are told in one notice: %s', (_, tickets, notice) => {
    expect(noticeOfDue(tickets)).toEqual(notice)
  })
})
