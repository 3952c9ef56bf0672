import type { ProviderFault } from '../port.ts'
import { notTaken } from './arrivals.ts'
import { reasonOf } from './delivery.ts'
import { refusedToken } from './oauth.ts'
import { failureOf } from './smtp.ts'

/** Interval of polling a server without IDLE, in ms. */
const LOOK_MS = 60_000

/** Known faults of mail servers. */
export const mailFaults: readonly ProviderFault[] = [
  {
    ...{ id: 'full', label: 'Caixa cheia', isLost: true },
    effect: 'O próximo e-mail da equipe volta: o servidor aceita e depois diz que a caixa está cheia.',
    reports: ({ messageId, conversationKey, to, now }) => [
      {
        ...{ type: 'receipt', dedupeKey: `bounce ${messageId}`, conversationKey, providerId: messageId, messageId },
        ...{ status: 'failed', timestamp: now.getTime(), error: reasonOf('5.2.2', '', to) },
      },
    ],
  },
  {
    ...{ id: 'later', label: 'Tentar depois (451)' },
    effect: 'O servidor pede para tentar mais tarde: o próximo e-mail espera cinco minutos.',
    fails: () => failureOf({ responseCode: 451, response: '451 4.7.1 Greylisted' }, false, []),
  },
  {
    ...{ id: 'password', label: 'Senha trocada' },
    effect: 'O servidor recusa a senha: o próximo e-mail para o canal, sem outra tentativa.',
    fails: () => failureOf({ code: 'EAUTH', responseCode: 535 }, false, []),
  },
  {
    ...{ id: 'grant', label: 'invalid_grant' },
    effect: 'O Google não aceita mais a autorização: o próximo e-mail para o canal, até alguém a reconectar.',
    fails: () => refusedToken({ name: 'Google' }),
  },
  {
    ...{ id: 'validity', label: 'UIDVALIDITY' },
    effect: 'A caixa da empresa foi refeita: o próximo e-mail é lido duas vezes, e aparece uma.',
    arrives: (event) => [
      { afterMs: 0, events: [event] },
      { afterMs: 1000, events: [event] },
    ],
  },
  {
    ...{ id: 'huge', label: 'E-mail enorme' },
    effect: 'O próximo e-mail traz um anexo de mais de 25 MB: o texto chega, e diz que o anexo não.',
    arrives(event) {
      const body = [event.message.body, notTaken('video.mp4')].filter(Boolean).join('\n\n')
      return [{ afterMs: 0, events: [{ ...event, message: { ...event.message, body } }] }]
    },
  },
  {
    ...{ id: 'idle', label: 'Sem IDLE' },
    effect: 'O servidor não avisa: o próximo e-mail chega na consulta seguinte, um minuto depois.',
    arrives: (event) => [{ afterMs: LOOK_MS, events: [event] }],
  },
]
