import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import metadata from 'libphonenumber-js/max/metadata'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { localTime } from '#domain/calendar/local-time.ts'
import { greeting, TEMPLATE_VARIABLES, unknownVariables } from '#domain/messages/template.ts'
import { parsePhone } from '#domain/phone/phone.ts'
import { dated, timeline } from './dates.ts'
import { demo } from './index.ts'
import { type DemoFile, demoMedia } from './media.ts'
import { inOrder } from './part.ts'
import type { Conversation, Entry } from './types.ts'

const folder = join(import.meta.dirname, 'media')
const [loja, outra] = demo.tenants.map(({ conversations }) => conversations) as [Conversation[], Conversation[]]
const everything = demo.tenants.flatMap((tenant) =>
  tenant.conversations.map((conversation) => ({ tenant, conversation })),
)
const all = everything.map(({ conversation }) => conversation)
const staffNames = demo.tenants.flatMap(({ staff }) => staff.map(({ name }) => name))
const isLong = ({ key }: Conversation) => !/-short\d*$/.test(key)
const isWord = (entry: Entry) => entry.from !== 'event' && entry.from !== 'note'
const textOf = (entry: Entry) =>
  entry.from === 'event' ? '' : entry.from === 'note' ? entry.text : (entry.text ?? entry.media?.caption ?? '')
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
const sao = -180
const nows = ['2026-01-01T03:10:00Z', '2026-06-19T15:30:00Z', '2027-02-28T22:45:00Z'].map((at) => Date.parse(at))

test('there is enough of everything, in five trades and more', () => {
  const long = loja.filter(isLong)
  expect(long.length).toBeGreaterThanOrEqual(44)
  expect(new Set(long.map(({ trade }) => trade)).size).toBeGreaterThanOrEqual(5)
  expect(loja.length - long.length).toBeGreaterThanOrEqual(120)
  expect(outra).toHaveLength(6)
  expect(demo.tenants[0]?.contacts.length).toBeGreaterThanOrEqual(150)
  expect(demo.tenants[0]?.quickReplies.length).toBeGreaterThanOrEqual(15)
  for (const status of ['open', 'pending', 'closed']) {
    expect(loja.filter((conversation) => conversation.status === status).length).toBeGreaterThanOrEqual(20)
  }
})

test('long conversations have 6 to 40 messages, short ones 1 to 6', () => {
  const lengths = (conversations: Conversation[]) =>
    conversations.map(({ messages }) => messages.filter(isWord).length).sort((a, b) => a - b)
  const long = lengths(all.filter(isLong))
  expect([long[0]! >= 6, long.at(-1)! <= 40, new Set(long).size > 10]).toEqual([true, true, true])
  const short = lengths(all.filter((conversation) => !isLong(conversation)))
  expect([short[0]! >= 1, short.at(-1)! <= 6]).toEqual([true, true])
})

test('no text of more than 25 characters is said twice', () => {
  const said = all.flatMap(({ messages }) => messages.map((entry) => plain(textOf(entry)))).filter((t) => t.length > 25)
  expect(said.length).toBeGreaterThan(900)
  expect(said.filter((text, index) => said.indexOf(text) !== index)).toEqual([])
})

test('no two conversations read alike: they share few sequences of three words', () => {
  const shingles = all.map(({ messages }) => {
    const words = plain(messages.map(textOf).join(' ')).split(' ')
    return new Set(words.slice(2).map((word, index) => `${words[index]} ${words[index + 1]} ${word}`))
  })
  let pairs = 0
  for (const [index, one] of shingles.entries()) {
    for (const [offset, other] of shingles.slice(index + 1).entries()) {
      const shared = [...one].filter((shingle) => other.has(shingle)).length
      pairs += 1
      const names = `${all[index]?.key} and ${all[index + 1 + offset]?.key}`
      expect(shared, names).toBeLessThanOrEqual(3 + 0.02 * Math.min(one.size, other.size))
    }
  }
  expect(pairs).toBe((all.length * (all.length - 1)) / 2)
})

test('no two conversations begin alike', () => {
  const starts = all.map(({ messages }) => plain(messages.map(textOf).find((text) => text !== '') ?? ''))
  expect(starts.filter((start, index) => starts.indexOf(start) !== index)).toEqual([])
})

test('every file that is sent exists, is used, and is small', async () => {
  const sent = new Set(
    all.flatMap(({ messages }) => messages.flatMap((entry) => ('media' in entry ? entry.media?.file : []))),
  )
  const files = Object.keys(demoMedia) as DemoFile[]
  expect(readdirSync(folder).sort()).toEqual([...files].sort())
  expect(files.filter((file) => !sent.has(file))).toEqual([])
  const size = (file: string) => statSync(join(folder, file)).size
  expect(files.reduce((sum, file) => sum + size(file), 0)).toBeLessThan(4_000_000)
  const of = (kind: string) => files.filter((file) => demoMedia[file].kind === kind)
  expect([of('image').length >= 14, of('audio').length >= 6, of('document').length >= 4]).toEqual([true, true, true])
  expect([...of('audio'), ...of('document')].filter((file) => size(file) > 60_000)).toEqual([])
  for (const file of of('image')) {
    const { width, height, format } = await sharp(join(folder, file)).metadata()
    expect(format, file).toBe('jpeg')
    expect(Math.max(width, height), file).toBeLessThanOrEqual(1280)
    expect(Math.max(width, height), file).toBeGreaterThanOrEqual(800)
    expect(size(file), file).toBeLessThan(150_000)
  }
})

test('contacts, queues, tags and staff that a conversation names exist in its own tenant', () => {
  for (const { tenant, conversation } of everything) {
    const { key, contact, queue, tags = [], assignee, trade, messages } = conversation
    const emails = tenant.staff.map(({ email }) => email)
    const queues = tenant.queues.map(({ name }) => name)
    expect(
      tenant.contacts.filter(({ name }) => name === contact),
      key,
    ).toHaveLength(1)
    expect(tenant.trades[trade], key).toBeDefined()
    if (queue !== null) expect(queues, key).toContain(queue)
    for (const tag of tags)
      expect(
        tenant.tags.map(({ name }) => name),
        key,
      ).toContain(tag)
    if (assignee !== null) {
      const { profile, queues: own } = tenant.staff.find(({ email }) => email === assignee)!
      if (profile !== 'admin') expect(own, key).toContain(queue)
    }
    const named = messages.flatMap((entry) => {
      if (entry.from === 'contact') return []
      if (entry.from === 'note') return [entry.by]
      if (entry.from !== 'event') return [entry.from]
      if (entry.event.type !== 'transfered') return [entry.event.by]
      if (entry.event.queue) expect(queues, key).toContain(entry.event.queue)
      expect(Boolean(entry.event.queue || entry.event.to), key).toBe(true)
      return entry.event.to ? [entry.event.by, entry.event.to] : [entry.event.by]
    })
    for (const email of named) expect(emails, key).toContain(email)
  }
  for (const { staff, queues, tags } of demo.tenants) {
    for (const person of staff)
      for (const queue of person.queues) expect(queues.map(({ name }) => name)).toContain(queue)
    for (const { color } of [...queues, ...tags]) expect(color).toMatch(/^#[0-9a-f]{6}$/)
  }
})

test('every contact writes, every tag is used, every mention names a colleague', () => {
  for (const { contacts, conversations, tags } of demo.tenants) {
    const writers = new Set(conversations.map(({ contact }) => contact))
    expect(contacts.filter(({ name }) => !writers.has(name))).toEqual([])
    const used = new Set(conversations.flatMap((conversation) => conversation.tags ?? []))
    expect(tags.filter(({ name }) => !used.has(name))).toEqual([])
  }
  const notes = all.flatMap(({ messages }) => messages.filter(({ from }) => from === 'note').map(textOf))
  const mentions = notes.flatMap((note) => [...note.matchAll(/@/g)].map(({ index }) => note.slice(index + 1)))
  expect(mentions.length).toBeGreaterThan(20)
  expect(mentions.filter((mention) => !staffNames.some((name) => mention.startsWith(name)))).toEqual([])
})

test('phones are valid, unique and in the unused range; who has none writes in the widget', () => {
  const contacts = demo.tenants.flatMap((tenant) => tenant.contacts)
  const phones = contacts.flatMap(({ phone }) => phone ?? [])
  expect(new Set(phones).size).toBe(phones.length)
  for (const phone of phones) {
    expect(parsePhone(phone, metadata)?.e164).toBe(phone)
    expect(phone).toMatch(/^\+55\d\d90\d{7}$/)
  }
  for (const { email } of contacts) if (email) expect(email).toMatch(/^[a-z0-9.-]+@[a-z.]+\.test$/)
  for (const { tenant, conversation } of everything) {
    const phone = tenant.contacts.find(({ name }) => name === conversation.contact)?.phone
    expect(conversation.connection === 'webchat' || typeof phone === 'string', conversation.key).toBe(true)
  }
})

test('a contact has at most one open or pending ticket per connection', () => {
  const live = everything
    .filter(({ conversation }) => conversation.status !== 'closed')
    .map(
      ({ tenant, conversation: { contact, connection, trade } }) => `${tenant.name} ${contact} ${connection} ${trade}`,
    )
  expect(live.filter((one, index) => live.indexOf(one) !== index)).toEqual([])
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length)
})

test('times rise, quotes point backwards at words, and the state fits what was said', () => {
  for (const { key, messages, status, assignee, unread = 0 } of all) {
    expect(messages[0]?.at, key).toBe(0)
    for (const [index, entry] of messages.entries()) {
      if (index > 0) expect(entry.at, `${key} ${index}`).toBeGreaterThan(messages[index - 1]!.at)
      if (entry.from === 'event') continue
      expect(textOf(entry) !== '' || ('media' in entry && entry.media !== undefined), `${key} ${index}`).toBe(true)
      if ('quote' in entry && entry.quote !== undefined) {
        expect(entry.quote, `${key} ${index}`).toBeLessThan(index)
        expect(isWord(messages[entry.quote]!), `${key} ${index}`).toBe(true)
      }
    }
    const words = messages.filter(isWord)
    const trailing = words.length - 1 - words.findLastIndex(({ from }) => from !== 'contact')
    expect(unread, key).toBeLessThanOrEqual(trailing)
    expect(assignee === null, key).toBe(status === 'pending')
    expect(messages.at(-1)?.from === 'event', key).toBe(status === 'closed')
  }
  expect(loja.filter(({ unread }) => unread).length).toBeGreaterThan(20)
})

test.each(nows)('seen from %d nothing lies ahead, and greetings fit the hour', (now) => {
  let greetings = 0
  for (const conversation of all) {
    const times = timeline(conversation, now)
    expect(times.at(-1), conversation.key).toBeLessThanOrEqual(now - conversation.ageMinutes * 60_000)
    expect(now - times.at(-1)!, conversation.key).toBeLessThan((conversation.ageMinutes + 1440) * 60_000)
    if (conversation.startsAt) {
      const { hour, minute } = localTime(times[0]!, sao)
      expect(`${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`).toBe(conversation.startsAt)
    }
    for (const [index, entry] of conversation.messages.entries()) {
      const [, said] = /(?:^|[.!] )(bom dia|boa tarde|boa noite)/i.exec(textOf(entry)) ?? []
      if (!said) continue
      greetings += 1
      expect(conversation.startsAt, conversation.key).toBeDefined()
      expect(said.toLowerCase(), `${conversation.key} ${index}`).toBe(greeting(times[index]!, sao))
    }
  }
  expect(greetings).toBeGreaterThan(80)
})

test('date tokens become working days, a Saturday, a month', () => {
  const friday = Date.parse('2026-11-20T22:00:00Z')
  expect(dated('{s+1}, dia {d+1}. {s+6}? na {s+2}', friday)).toBe('Segunda, dia 23/11. Segunda? na terça')
  expect(dated('sábado {sab}, lote de {mes-1}, em {mes+2}', friday)).toBe('sábado 21/11, lote de outubro, em janeiro')
  const written = all.flatMap(({ messages }) => messages.map((entry) => dated(textOf(entry), friday)))
  expect(written.filter((text) => /[{}]|\[\[/.test(text))).toEqual([])
})

test('quick replies use known variables and have keys of their own', () => {
  const replies = demo.tenants.flatMap(({ quickReplies }) => quickReplies)
  for (const { message } of replies) expect(unknownVariables(message, Object.keys(TEMPLATE_VARIABLES))).toEqual([])
  for (const { quickReplies } of demo.tenants) {
    expect(new Set(quickReplies.map(({ key }) => key)).size).toBe(quickReplies.length)
    for (const { key } of quickReplies) expect(key).toMatch(/^[a-z]+$/)
  }
})

test('a part comes after those that it names, and otherwise by name', () => {
  const seed = async () => {}
  const [a, b, c] = [{ seed, after: ['c'] }, { seed }, { seed, after: ['b'] }]
  expect(inOrder({ a, b, c })).toEqual([b, c, a])
  expect(() => inOrder({ a })).toThrow('a comes after c, which is no part of the demo')
  expect(() => inOrder({ a, c: { seed, after: ['a'] } })).toThrow('wait for each other: a, c, a')
})
