import { type MakeChannelAdapter, sendFailure } from './port.ts'

/** Adapter of the virtual phones, which are part of this installation. */
export const phonesAdapter: MakeChannelAdapter = (_values, { local }) => ({
  async send(message) {
    const delivery = (await local?.deliver(message)) ?? 'unreachable'
    if (delivery === 'unreachable') throw sendFailure('unreachable', 'ERR_WAPP_NOT_INITIALIZED')
    if (delivery === 'unknown-number') throw sendFailure('refused', 'ERR_WAPP_INVALID_CONTACT')
    if (typeof delivery === 'object') throw delivery
    return { providerId: message.messageId }
  },
  act: async (action) => local?.act(action),
  async download() {
    throw sendFailure('refused', 'Mídia expirada.')
  },
  async ask(question, about) {
    const answer = question === 'number' ? local?.reaches : local?.answers?.[question as 'history']
    if (!answer) throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
    return answer(about as never)
  },
})
