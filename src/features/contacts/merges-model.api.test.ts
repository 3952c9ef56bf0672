import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { tickets } from '#features/tickets/contract.ts'
import { importsBy } from '#test/contact-imports.ts'
import { make } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'
import { until } from '#test/until.ts'
import { contacts } from './contract.ts'

const product = withProduct()
const PEOPLE = 4
let token: string
let tenantId: number
let lines = 0

beforeAll(async () => {
  testChannel(product().platform)
  const m = make(product().platform)
  tenantId = await m.tenant()
  token = (await m.person(tenantId, { profile: 'admin' })).token
})

const { imported } = importsBy(product, () => token)

const person = fc.integer({ min: 0, max: PEOPLE - 1 })
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('merge' as const), a: person, b: person, keep: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const), n: fc.nat(20) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), who: person }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('edit' as const, 'import' as const),
      who: person,
      field: fc.constantFrom('email' as const, 'businessName' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('tag' as const), who: person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), who: person }) },
)

const read = async <T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> =>
  product().platform.db.read(tenantId, async (db) => (await statement.execute(db)).rows)
const idle = () =>
  until(
    async () =>
      (
        await read(
          sql<object>`select 1 from tickets t join contacts c on c.id = t.contact_id where c.merged_into is not null`,
        )
      ).length === 0,
  )

/** Creates people with a number and a channel that no rule connects, and the expected state of each without any merge. */
async function world() {
  const m = make(product().platform)
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const [first, second] = [await m.tag(tenantId), await m.tag(tenantId)]
  const people: {
    id: number
    address: string
    own: { email: string; businessName: string; tags: number[] }
    said: string[]
  }[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const address = `55119${String(70_000_000 + ++lines)}`
    const email = n % 2 ? `${address}@casa.br` : ''
    const id = await m.contact(tenantId, { number: address, name: `P${address}`, email })
    const own = { email, businessName: '', tags: n % 2 ? [first] : ([] as number[]) }
    if (n % 2) await call(product(), contacts.setTags, token, { params: { id }, body: { tags: [first] } })
    people.push({ id, address, own, said: [] as string[] })
  }
  let said = 0
  return {
    people,
    second,
    connectionId,
    async write(who: number): Promise<void> {
      const one = people[who]!
      const body = `fala ${++said} de ${one.address}`
      await receive(product().platform, { tenantId, connectionId }, [textEvent({ from: one.address, body })])
      await ingestIdle(product().platform)
      one.said.push(body)
    },
  }
}

it('whatever is merged, undone, said, written and imported: every message has its address and every person one ticket; in the end all is as if nobody had merged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const { people, second, connectionId, write } = await world()
      const merges: number[] = []
      // Returns the root contact of a sender; messages written meanwhile belong to the root.
      const standsFor = async (who: number) =>
        (
          await read(
            sql<{
              person: number
            }>`select coalesce(merged_into, id) as person from contacts where id = ${people[who]!.id}`,
          )
        )[0]!.person
      const of = async (who: number) => {
        const person = await standsFor(who)
        return people.find(({ id }) => id === person)!
      }
      let edits = 0
      const undo = async (mergeId: number) => {
        const params = { mergeId }
        expect(await call(product(), contacts.undoMerge, token, { params })).toMatchObject({
          status: 200,
        })
        merges.splice(merges.indexOf(mergeId), 1)
      }
      for (const one of steps) {
        if (one.kind === 'merge') {
          const body = { contactId: people[one.b]!.id, ...(one.keep ? { keep: { email: 'b' as const } } : {}) }
          const reply = await call(product(), contacts.merge, token, { params: { id: people[one.a]!.id }, body })
          if (reply.status === 200) merges.push(reply.body.mergeId)
          else expect(reply.body).toMatchObject({ error: 'ERR_MERGE_SAME' })
        } else if (one.kind === 'undo') {
          if (merges.length > 0) await undo(merges[one.n % merges.length]!)
        } else if (one.kind === 'write') await write(one.who)
        else if (one.kind === 'edit' || one.kind === 'import') {
          const value = one.field === 'email' ? `novo${++edits}.${people[0]!.address}@casa.br` : `Firma ${++edits}`
          const { id, address } = people[one.who]!
          if (one.kind === 'edit')
            await call(product(), contacts.update, token, { params: { id }, body: { [one.field]: value } })
          else
            expect(
              await imported(`numero;${one.field === 'email' ? 'email' : 'Empresa'}\n${address};${value}`),
            ).toMatchObject({ updated: 1, created: 0 })
          ;(await of(one.who)).own[one.field] = value
        } else if (one.kind === 'tag') {
          const owner = await of(one.who)
          const shown = (await call(product(), contacts.get, token, { params: { id: owner.id } })).body
          const tags = [...new Set([...shown.tags.map(({ id }) => id), second])]
          await call(product(), contacts.setTags, token, { params: { id: owner.id }, body: { tags } })
          if (!shown.tags.some(({ id }) => id === second)) owner.own.tags.push(second)
        } else {
          const [live] = await read(
            sql<{
              id: number
            }>`select id from tickets where contact_id = ${await standsFor(one.who)} and status <> 'closed'`,
          )
          if (live) await call(product(), tickets.force, token, { params: { id: live.id }, body: { status: 'closed' } })
        }
        // Every message is in one ticket of the sender's person, and no person has two active tickets.
        expect(
          await read(sql<object>`select m.body from messages m join tickets t on t.id = m.ticket_id
          join contact_identities i on i.channel = t.channel and i.identity = m.conversation_key join contacts l on l.id = i.contact_id
          where m.connection_id = ${connectionId} and coalesce(l.merged_into, l.id) <> t.contact_id`),
        ).toEqual([])
        expect(
          await read(
            sql<object>`select contact_id from tickets where connection_id = ${connectionId} and status <> 'closed' group by 1 having count(*) > 1`,
          ),
        ).toEqual([])
      }
      while (merges.length > 0) await undo(merges[merges.length - 1 - (steps.length % merges.length)]!)
      await idle()
      for (const { id, address, own, said } of people) {
        expect((await call(product(), contacts.get, token, { params: { id } })).body).toMatchObject({
          ...{ id, number: address, email: own.email, businessName: own.businessName },
          tags: [...own.tags].sort((a, b) => a - b).map((tag) => ({ id: tag })),
        })
        const found = await read(sql<{ body: string; key: string; owner: number }>`
          select m.body, m.conversation_key as key, t.contact_id as owner from messages m join tickets t on t.id = m.ticket_id
          where m.contact_id = ${id} and m.connection_id = ${connectionId} and not m.from_me order by m.seq`)
        expect(found).toEqual(said.map((body) => ({ body, key: address, owner: id })))
      }
      expect(
        await read(
          sql<object>`select 1 from ticket_merges p join tickets t on t.id = p.ticket_id where t.connection_id = ${connectionId}`,
        ),
      ).toEqual([])
      expect(
        await read(
          sql<object>`select id from contacts where merge_state is not null and id = any(${people.map(({ id }) => id)}::bigint[])`,
        ),
      ).toEqual([])
    }),
    { numRuns: breadth(8, 150) },
  )
}, 900_000)
