import { messageEvents } from '#features/ledger/event-addresses.ts'
import { call } from '#web/client.ts'
import { on } from '#web/realtime/realtime.ts'
import { t } from '#web/t.ts'
import { lab, labEvents } from '../addresses.ts'
import type { LabPhone, LabTrail } from '../contract.ts'
import type { Log } from './log.ts'

const patience = 3000
const wall = (at: number) => performance.timeOrigin + at
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const did = {
  text: t('enviou texto'),
  image: t('enviou uma foto'),
  audio: t('enviou um áudio'),
  video: t('enviou um vídeo'),
  document: t('enviou um documento'),
} as Record<string, string>

const asked = {
  duplicate: t('Aviso enviado em dobro, a pedido'),
  reorder: t('Mensagem segurada até a próxima, a pedido'),
  delay: t('Mensagem atrasada, a pedido'),
  disconnected: t('Sem conexão: a mensagem espera no telefone'),
  provider: t('O provedor a conta a seu modo, a pedido'),
}

const receipts = {
  delivered: t('Recibo de entrega chegou à tela'),
  read: t('Recibo de leitura chegou à tela'),
  played: t('Recibo de escuta chegou à tela'),
} as Record<string, string>

/** Timings and fault of a send's response. */
type Answered = { journalMs: number | null; serverMs: number; fault: keyof typeof asked | null }

/**
 * Traces messages through the product and logs each step. Click and arrival over the socket are measured on this page,
 * journal commit and processing by the server; one-way network time is half of the request's time beyond the server's.
 */
export function createTrace(log: Log, nameOf: (phoneId: number) => string) {
  const seen = new Map<string, number>()
  const waiting = new Map<string, (at: number | null) => void>()
  const held = new Map<string, { phoneId: number; clicked: number }>()
  const repeatedOn = new Map<number, string>()
  const onPhones = new Map<string, number>()

  const arrivalOf = (id: string): Promise<number | null> => {
    const known = seen.get(id)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve) => {
      waiting.set(id, resolve)
      setTimeout(() => resolve(null), patience)
    })
  }

  async function trailOf(phoneId: number, messageId: string): Promise<LabTrail | null> {
    for (const wait of [0, 40, 80, 160, 320, 640, 1280]) {
      await pause(wait)
      const trail = await call(lab.trail, { params: { id: phoneId, messageId } }, { quiet: true }).catch(() => null)
      if (trail?.message) return trail
    }
    return null
  }

  // `journaled`: time of the commit by this page's clock; null for a message held back by a fault.
  async function follow(phoneId: number, id: string, clicked: number, journaled: number | null): Promise<void> {
    const trail = await trailOf(phoneId, id)
    if (!trail?.message) {
      log.count({ lost: 1 })
      log.add({ at: Date.now(), who: 'falha', text: t('A mensagem não chegou ao atendimento'), ms: null })
      return
    }
    const { protocol, queue, isLate, copies, ticketId } = trail.message
    if (copies > 1) log.count({ repeated: copies - 1 })
    const timeOf = (name: string) => trail.steps.find(({ step }) => step === name)?.at ?? 0
    const took = Math.max(0, timeOf('processed') - timeOf('journaled'))
    const arrival = await arrivalOf(trail.message.id)
    const processed = journaled === null ? (arrival ?? performance.now()) : journaled + took
    const place = queue ? t('fila {queue}', { queue }) : t('sem fila')
    const late = isLate ? t(', posta no seu lugar') : ''
    const text = t('Atendimento {protocol}, {place}{late}', { protocol, place, late })
    log.add({ at: wall(processed), who: 'roteador', text, ms: took, ticketId })
    if (arrival === null) {
      log.add({ at: Date.now(), who: 'tela', text: t('Quem está conectado aqui não vê este atendimento'), ms: null })
      return
    }
    const at = Math.max(arrival, processed)
    const ms = journaled === null ? null : at - processed
    log.add({ at: wall(at), who: 'tela', text: t('A mensagem chegou à tela'), ms })
    if (journaled !== null) log.count({ wholeMs: Math.max(0, arrival - clicked) })
  }

  async function checkRepeated(phoneId: number, id: string): Promise<void> {
    const copies = (await trailOf(phoneId, id))?.message?.copies ?? 0
    const text =
      copies === 1 ? t('Repetição recusada pelo registro: uma só mensagem') : t('A mensagem apareceu repetida')
    log.add({ at: Date.now(), who: copies === 1 ? 'canal' : 'falha', text, ms: null })
  }

  return {
    /** Logs that send was pressed on the phone; returns the time. */
    clicked(phone: LabPhone, mediaType: string): number {
      const at = performance.now()
      const text = `${phone.name.split(' ')[0]} ${did[mediaType] ?? t('enviou um arquivo')}`
      log.add({ at: wall(at), who: 'telefone', text, ms: null })
      log.count({ sent: 1 })
      return at
    },
    /** Takes the lab's response; follows the message, or waits until a fault releases it. */
    answered(phone: LabPhone, id: string, clicked: number, { journalMs, serverMs, fault }: Answered): void {
      const now = performance.now()
      if (fault) log.add({ at: wall(clicked + 1), who: 'falha', text: asked[fault], ms: null })
      if (fault === 'duplicate') repeatedOn.set(phone.id, id)
      if (journalMs === null) {
        held.set(id, { phoneId: phone.id, clicked })
        return
      }
      const took = Math.max(0, (now - clicked - serverMs) / 2) + journalMs
      log.add({ at: wall(clicked + took), who: 'canal', text: t('Aviso recebido e gravado no registro'), ms: took })
      void follow(phone.id, id, clicked, clicked + took)
    },
    /** Subscribes to events while the lab is on screen; returns a function that stops. */
    start(): () => void {
      const stops = [
        on(messageEvents.create, ({ message }) => {
          const at = performance.now()
          seen.set(message.id, at)
          waiting.get(message.id)?.(at)
          waiting.delete(message.id)
        }),
        on(messageEvents.ack, ({ id, status }) => {
          const text = onPhones.has(id) && receipts[status]
          if (text) log.add({ at: Date.now(), who: 'recibo', text, ms: null })
        }),
        on(labEvents.message, ({ id, phoneId, fromPhone }) => {
          if (fromPhone) return
          onPhones.set(id, phoneId)
          const sentAt = seen.get(id)
          const text = t('Resposta chegou ao telefone de {name}', { name: nameOf(phoneId) })
          log.add({
            at: Date.now(),
            who: 'telefone',
            text,
            ms: sentAt === undefined ? null : performance.now() - sentAt,
          })
        }),
        on(labEvents.status, ({ ids, status }) => {
          for (const id of ids) {
            const one = status === 'delivered' && held.get(id)
            if (!one) continue
            held.delete(id)
            log.add({
              at: Date.now(),
              who: 'canal',
              text: t('Mensagem que esperava foi gravada no registro'),
              ms: null,
            })
            void follow(one.phoneId, id, one.clicked, null)
          }
        }),
        on(labEvents.fault, ({ phoneId, what, seconds }) => {
          const name = nameOf(phoneId)
          const text = {
            repeated: t('O mesmo aviso chegou mais uma vez, a pedido'),
            released: t('A mensagem segurada foi depois da seguinte'),
            'receipt-held': t('Recibo segurado por {seconds} s, a pedido', { seconds: seconds ?? 0 }),
            'line-down': t('Envio não saiu: {name} está sem conexão', { name }),
            'line-back': t('{name} voltou: o que esperava seguiu', { name }),
            provider: t('O provedor aplicou à resposta a falha pedida'),
          }[what]
          log.add({ at: Date.now(), who: 'falha', text, ms: null })
          const repeated = what === 'repeated' && repeatedOn.get(phoneId)
          if (repeated) void checkRepeated(phoneId, repeated)
        }),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}

/** Tracer of messages. */
export type Trace = ReturnType<typeof createTrace>
