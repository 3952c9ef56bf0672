import { type MakeChannelAdapter, sendFailure } from '#providers/channels/port.ts'

/** Event of the mountain: a person's shout. */
type Shout = { readonly id: string; readonly from: string; readonly text: string; readonly at: number }

/** Adapter of a mountain, which sends the shouts of others back by webhook. */
export const echoAdapter: MakeChannelAdapter = (values, { fetch, settings }) => {
  const shout = (path: string, json: object) =>
    fetch(`${settings['url']}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${values['token']}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
  return {
    faults: [
      {
        ...{ id: 'avalanche', label: 'Avalanche' },
        effect: 'A montanha desaba: a próxima resposta é recusada.',
        fails: () => sendFailure('refused', 'A montanha desabou.'),
      },
    ],
    async send({ conversationKey: to, body: text, messageId: id }) {
      const { status } = await shout('shout', { to, text, id })
      if (status !== 200) throw sendFailure('refused', 'A montanha não respondeu.')
      return { providerId: id }
    },
    receive({ headers, body }) {
      if (headers['authorization'] !== `Bearer ${values['token']}`) return { isGenuine: false }
      const { id, from, text, at } = JSON.parse(new TextDecoder().decode(body)) as Shout
      const sender = { identity: from, name: `Eco ${from}`, number: from }
      const message = { providerId: id, timestamp: at, type: 'text', body: text } as const
      const event = { type: 'message', dedupeKey: id, conversationKey: from, sender, message } as const
      return { isGenuine: true, events: [{ event }] }
    },
    async test() {
      const { status } = await shout('hello', {})
      return status === 200 ? { ok: true } : { ok: false, problem: 'A montanha não conhece esta senha.' }
    },
    testSettings: async () => ({ ok: true }),
  }
}
