import { connections } from '#features/connections/contract.ts'
import { lab } from '#features/lab/contract.ts'
import type { OpenContactEnd } from '#test/channels/contact-end.ts'
import { openPhone } from '#test/channels/phone-end.ts'
import { channelSuite } from '#test/channels/suite.ts'
import { call } from '#test/server.ts'
import { until } from '#test/until.ts'
import { labDeviceConfig } from './config.ts'

/** Phone that writes on a channel linked by another phone. */
const openLinked: OpenContactEnd = async (product, company) => {
  const { token } = company
  const made = await call(product, connections.create, token, { body: { type: 'lab-device', name: 'Aparelho' } })
  const params = { id: made.body.id }
  const detail = async () => (await call(product, connections.get, token, { params })).body
  const scan = async (code: string) => {
    const reply = await call(product, lab.device, token, { params, body: { act: 'scan', code } })
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  }
  await call(product, connections.start, token, { params, body: {} })
  await until(async () => (await detail()).qrcode !== null)
  await scan((await detail()).qrcode!)
  await until(async () => (await detail()).status === 'CONNECTED')
  return { ...(await openPhone('lab-device')(product, company)), scan }
}

channelSuite(labDeviceConfig, `${import.meta.dirname}/../lab`, openLinked)
