import { setTimeout } from 'node:timers/promises'
import { appSettings } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import type { Insist, Side } from './side.ts'
import type { World } from './world.ts'

type Kind = 'waba' | 'instagram' | 'messenger'
const KINDS: readonly Kind[] = ['waba', 'instagram', 'messenger']
const LOOK_MS = 50

/**
 * Connects a company's number, page and Instagram account at a Meta stand-in of the round; receipts of sends come in any
 * order, each repeated until accepted.
 */
export async function openMeta(world: World, tenantId: number, insist: Insist): Promise<Side> {
  const meta = await startMeta()
  const { direct, app } = meta
  world.metaProxy.retarget(meta.address)
  world.meta.current = meta
  const saved = (await insist('/api/providers/meta', appSettings(meta), 'PUT')) as { webhookUrl: string }
  const hook = new URL(saved.webhookUrl, 'http://any').pathname
  const webs = world.members.filter(({ role }) => role === 'web')
  let turn = 0
  /** Repeats a webhook call of Meta at the web processes in turn until one responds. */
  const insisted = async (call: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      meta.state.callback = `${webs[turn++ % webs.length]!.address}${hook}`
      const isHeard = await call().then(
        () => true,
        () => false,
      )
      if (isHeard) return
      await setTimeout(100)
    }
  }
  const { page, instagram } = direct.accounts
  const configs = {
    waba: { tokenAPI: app.phoneId, wabaId: app.wabaId, bmToken: app.token },
    instagram: { tokenAPI: instagram.id, bmToken: instagram.token },
    messenger: { tokenAPI: page.id, wabaId: page.businessId, bmToken: page.token },
  }
  const ids: number[] = []
  for (const type of KINDS) {
    const body = { type, name: type, config: configs[type] }
    ids.push(((await insist('/api/whatsapp', body)) as { id: number }).id)
    await insist(`/api/whatsappsession/${ids.at(-1)}`, {})
  }
  const start = async () => {
    for (const id of ids) await insist(`/api/whatsappsession/${id}`, {}).catch(() => {})
  }
  const kinds = new Map(KINDS.map((kind, n) => [`55${n + 1}19${String(tenantId).padStart(8, '0')}`, kind]))
  const serviceOf = (contact: string) => (kinds.get(contact) === 'instagram' ? 'instagram' : 'page')
  let owed = 0
  let isOver = false
  const rotated = <T>(list: readonly T[]): T[] => list.map((_, n) => list[(n + turn) % list.length]!)

  async function publishAll(news: readonly (() => Promise<unknown>)[]): Promise<void> {
    owed++
    for (const one of rotated(news)) await insisted(one)
    owed--
  }
  async function watch(): Promise<void> {
    let [numbers, people] = [0, 0]
    while (!isOver) {
      for (const { wamid, biz_opaque_callback_data } of meta.taken.slice(numbers)) {
        numbers++
        const status = (name: string) => () => meta.confirm(name, wamid, { biz_opaque_callback_data })
        void publishAll([status('sent'), status('delivered'), status('read')])
      }
      for (const { mid, to, message } of direct.taken.slice(people)) {
        people++
        const service = serviceOf(to)
        const act = (what: object) => () => direct.push(service, { ...direct.inbound(service, to), ...what })
        const metadata = service === 'page' ? message!.metadata : undefined
        const echo = () => direct.echo(service, to, { ...message, mid, metadata })
        // For an Instagram account, the message id is unknown before the echo.
        if (service === 'instagram') void insisted(echo).then(() => publishAll([act({ read: { mid } })]))
        else
          void publishAll([echo, act({ delivery: { mids: [mid] } }), act({ read: { watermark: Date.now() + 1000 } })])
      }
      await setTimeout(LOOK_MS)
    }
  }
  void watch()
  return {
    ...{ contacts: [...kinds.keys()], isSure: false },
    async write(contact, body, id) {
      const service = serviceOf(contact)
      if (kinds.get(contact) === 'waba')
        await insisted(() =>
          meta.write({ number: contact, name: 'Ana' }, { type: 'text', text: { body } }, `wamid.${id}`),
        )
      else await insisted(() => direct.write(service, { id: contact, name: 'Ana' }, { text: body }, `m_${id}`))
    },
    received: (contact) =>
      kinds.get(contact) === 'waba'
        ? meta.taken.flatMap(({ to, text }) => (to === contact ? [text?.body ?? ''] : []))
        : direct.taken.flatMap(({ to, message }) => (to === contact ? [message?.text ?? ''] : [])),
    owed: () => owed,
    mend: start,
    async close() {
      isOver = true
      world.meta.current = null
      await meta.close()
    },
  }
}
