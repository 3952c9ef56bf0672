import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Ctx, unit } from '#server/context.ts'
import { make } from '#test/make.ts'
import { type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type Hook, type HookItem, type Hooks, registerHooks, runHooks } from './server/hooks/hooks.ts'
import { ingestIdle } from './server/ingest/ingest.ts'
import { receive } from './server/ingest/journal.ts'
import { ticketEvents } from './ticket-rows.ts'

const product = withProduct()
let channel: TestChannel
let to: { tenantId: number; connectionId: number }

beforeAll(async () => {
  const m = make(product().platform)
  channel = testChannel(product().platform)
  const tenantId = await m.tenant()
  to = { tenantId, connectionId: await m.connection(tenantId, { type: 'test' }) }
})

const none: Hooks = {
  onArrival: [],
  onOpened: [],
  onAssigned: [],
  onMessageSent: [],
  onRead: [],
  onClosed: [],
  onChatFlow: [],
}
let usual: Hooks | undefined
const use = (hooks: Partial<Hooks>) => {
  const before = registerHooks({ ...none, ...hooks })
  usual ??= before
}
afterEach(() => {
  if (usual) registerHooks(usual)
  usual = undefined
})

const hear = async (from: string, ...bodies: string[]) => {
  await receive(
    product().platform,
    to,
    bodies.map((body) => textEvent({ from, body })),
  )
  await ingestIdle(product().platform)
}
const bodiesOf = async (from: string) => {
  const rows = await product().platform.db.read(to.tenantId, (db) =>
    db.selectFrom('messages').select('body').where('conversation_key', '=', from).orderBy('seq').execute(),
  )
  return rows.map((row) => row.body)
}
const tags = () =>
  product().platform.db.read(to.tenantId, (db) => db.selectFrom('tags').select('tag').orderBy('tag').execute())
const mark = async ({ db }: Ctx, tag: string) => {
  await sql`insert into tags (tenant_id, tag) values (app.tenant(), ${tag})`.execute(db)
}

/** Creates a hook that fails `times` times, after it has written a row and recorded an event. */
function failing(times: number, seen: HookItem<'onMessageSent'>[][]): Hook<'onMessageSent'> {
  return {
    name: 'fails',
    run: async (ctx, batch) => {
      seen.push([...batch])
      await mark(ctx, `try ${seen.length}`)
      const ticketId = batch[0]!.ticketId
      ctx.emit(ticketEvents.rated, { id: ticketId, evaluation: seen.length }, { kind: 'tenant' })
      if (seen.length <= times) throw new Error('a hook that fails')
      return { messages: [{ ticketId, text: 'resposta', sendType: 'absence' }] }
    },
  }
}

describe('a hook', () => {
  it('that throws leaves nothing behind and is repeated as a job; message and other hooks stay', async () => {
    const seen: HookItem<'onMessageSent'>[][] = []
    const told: unknown[] = []
    onTestFinished(
      product().platform.bus.subscribe((_, changes) => {
        for (const change of changes) if (change.type === ticketEvents.rated.type) told.push(change.payload)
      }),
    )
    const other: Hook<'onMessageSent'> = {
      name: 'goes-on',
      run: async (ctx) => {
        await mark(ctx, 'another')
        return {}
      },
    }
    use({ onMessageSent: [failing(1, seen), other] })
    await hear('com-falha', 'Oi', 'Tudo bem?')
    expect((await bodiesOf('com-falha')).slice(0, 2)).toEqual(['Oi', 'Tudo bem?'])
    await until(async () => channel.sent.some(({ body }) => body === 'resposta'))
    expect(seen).toHaveLength(2)
    expect(seen[1]).toEqual(seen[0])
    expect(seen[0]).toMatchObject([{ fromMe: false }, { fromMe: false }])
    expect(await bodiesOf('com-falha')).toEqual(['Oi', 'Tudo bem?', 'resposta'])
    expect(await tags()).toEqual([{ tag: 'another' }, { tag: 'try 2' }])
    expect(told).toMatchObject([{ evaluation: 2 }])
  })

  it('gets everything that was said at one moment as one batch, in the order of the list', async () => {
    const order: string[] = []
    const noting = <P extends 'onOpened' | 'onMessageSent'>(name: string): Hook<P> => ({
      name,
      run: async (_, batch) => {
        order.push(`${name} ${batch.length}`)
        return {}
      },
    })
    use({ onOpened: [noting('opened')], onMessageSent: [noting('first'), noting('second')] })
    await hear('em-lote', 'um', 'dois', 'três')
    expect(order).toEqual(['opened 1', 'first 3', 'second 3'])
  })

  it('says each kind of its messages so often at most, whatever else is said', async () => {
    const limited: Hook<'onMessageSent'> = {
      name: 'limited',
      run: async (_, batch) => ({
        messages: batch.flatMap(({ ticketId }) => [
          { ticketId, text: 'uma vez', sendType: 'once', atMost: 1 },
          { ticketId, text: 'duas vezes', sendType: 'twice', atMost: 2 },
        ]),
      }),
    }
    use({ onMessageSent: [limited] })
    const said = async (body: string) => (await bodiesOf('com-limite')).filter((one) => one === body).length
    await hear('com-limite', 'um', 'dois')
    expect([await said('uma vez'), await said('duas vezes')]).toEqual([1, 2])
    await hear('com-limite', 'três')
    expect([await said('uma vez'), await said('duas vezes')]).toEqual([1, 2])
    await hear('outra-conversa', 'um')
    expect(await bodiesOf('outra-conversa')).toEqual(['um', 'uma vez', 'duas vezes'])
  })

  it('on arrival that throws lets the words become a ticket as if it had not been asked', async () => {
    let asked = 0
    const broken: Hook<'onArrival'> = {
      name: 'broken',
      run: async ({ db }) => {
        asked++
        if (asked === 1) await sql`select 1 / 0`.execute(db)
        return {}
      },
    }
    use({ onArrival: [broken] })
    await hear('na-chegada', 'Oi')
    expect(await bodiesOf('na-chegada')).toEqual(['Oi'])
    await until(async () => asked === 2)
  })

  it('that another hook leads to takes part in the same transaction, and leaves that one what it wrote', async () => {
    const sent = await make(product().platform).ticket(to.tenantId)
    const outer: Hook<'onRead'> = {
      name: 'outer',
      run: async (ctx) => {
        await mark(ctx, 'outer, before')
        await runHooks(ctx, 'onClosed', [{ ticketId: sent, how: 'force' }])
        await mark(ctx, 'outer, behind')
        return {}
      },
    }
    const inner = (name: string, fails: boolean): Hook<'onClosed'> => ({
      name,
      run: async (ctx) => {
        await mark(ctx, name)
        if (fails) throw new Error('a hook that fails')
        return {}
      },
    })
    use({ onRead: [outer], onClosed: [inner('inner, fails', true), inner('inner, stays', false)] })
    const { rows } = await unit(product().platform, { tenantId: to.tenantId, user: null }, async (ctx) => {
      await runHooks(ctx, 'onRead', [{ ticketId: sent, connectionId: to.connectionId, conversationKey: 'x' }])
      return sql<{ tag: string }>`select tag from tags where tag like '%ner%' or tag like 'outer%' order by id`.execute(
        ctx.db,
      )
    })
    expect(rows.map(({ tag }) => tag)).toEqual(['outer, before', 'inner, stays', 'outer, behind'])
  })
})
