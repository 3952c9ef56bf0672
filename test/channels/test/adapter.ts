import type { ChannelAdapter, LocalEnd, MakeChannelAdapter } from '#providers/channels/port.ts'

/** The test, as the other end of its channel. */
export type TestEnd = LocalEnd & Pick<ChannelAdapter, 'send'>

/** Adapter that passes every call to the test. */
export const testAdapter: MakeChannelAdapter = (_values, { local }) => {
  const end = local as TestEnd | null
  return {
    send: (message) => end!.send(message),
    act: async (action) => end?.act(action),
  }
}
