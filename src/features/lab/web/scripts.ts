import { sampleDocument, samplePhoto, sampleVoice } from './samples.ts'
import type { Content } from './use-phone.ts'

/** Step of a script, on the customer's side. */
type Step = { text: string } | { send: () => Promise<Content> } | { wait: 'reply' }

/** Prepared dialogue. */
export type Script = { id: string; title: string; about: string; steps: readonly Step[] }

const voice = async (): Promise<Content> => {
  const { file, durationMs } = await sampleVoice()
  return { text: '', file, durationMs, isVoice: true }
}

/** Scripted dialogues that a phone can play; each waits for the team's answers. */
export const scripts: readonly Script[] = [
  {
    id: 'entrega',
    title: 'entrega remarcada',
    about: 'Loja de móveis: texto, áudio e uma mudança de dia',
    steps: [
      { text: 'Boa tarde! Minha entrega está marcada para sexta, pedido 10519.' },
      { text: 'Na sexta não vai ter ninguém em casa…' },
      { wait: 'reply' },
      { send: voice },
      { text: 'Consegue entregar no sábado de manhã?' },
      { wait: 'reply' },
      { text: 'Perfeito! E quem recebe precisa mostrar algum documento?' },
      { wait: 'reply' },
      { text: 'Combinado. Muito obrigado, viu? Bom trabalho aí.' },
    ],
  },
  {
    id: 'avaria',
    title: 'produto com avaria',
    about: 'Troca: foto do pacote e a nota em PDF',
    steps: [
      { text: 'Oi, tudo bem? Chegou hoje e a caixa veio amassada num canto.' },
      { send: async () => ({ text: 'Olha como veio', file: await samplePhoto('PEDIDO 8842') }) },
      { wait: 'reply' },
      { text: 'O vidro da porta trincou. Prefiro trocar, não quero o dinheiro de volta.' },
      {
        send: async () => ({
          text: '',
          file: sampleDocument('nota-8842.pdf', 'Nota do pedido 8842', [
            'Cristaleira Jatobá, 1 unidade',
            'Total: R$ 1.489,90 em 6 vezes',
            'Entregue em 17/11/2026',
          ]),
        }),
      },
      { wait: 'reply' },
      { text: 'Ótimo, fico no aguardo da coleta então. Obrigada!' },
    ],
  },
  {
    id: 'consulta',
    title: 'consulta de retorno',
    about: 'Clínica: perguntas curtas, uma atrás da outra',
    steps: [
      { text: 'Bom dia' },
      { text: 'Queria marcar o retorno com a Dra. Priscila' },
      { text: 'de preferência depois das 17h' },
      { wait: 'reply' },
      { text: 'Quinta fica bom. Preciso levar o exame impresso ou pode ser no celular?' },
      { wait: 'reply' },
      { text: 'Maravilha, até quinta.' },
    ],
  },
]

/** Actions of a script on its phone; `reply` resolves with the team's next message after the call. */
export type Hands = {
  type(text: string): void
  send(content: Content): Promise<unknown>
  reply(signal: AbortSignal): Promise<void>
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      stop()
    })
  })

/** Plays a script: types letter by letter, sends real messages, waits for answers. Rejects when `signal` aborts it. */
export async function play(
  script: Script,
  hands: Hands,
  onWaiting: (waiting: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const step of script.steps) {
    if ('wait' in step) {
      onWaiting(true)
      await hands.reply(signal)
      onWaiting(false)
      await pause(900, signal)
    } else if ('text' in step) {
      const chunk = Math.min(38, 2400 / step.text.length)
      for (let end = 1; end <= step.text.length; end++) {
        hands.type(step.text.slice(0, end))
        await pause(chunk, signal)
      }
      await pause(260, signal)
      hands.type('')
      await hands.send({ text: step.text })
      await pause(500, signal)
    } else {
      await hands.send(await step.send())
      await pause(700, signal)
    }
  }
}
