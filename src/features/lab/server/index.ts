import { provideLocalEnd, provideLocalServer } from '#features/connections/server/index.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { lab } from '../contract.ts'
import { permissions } from '../permissions.ts'
import { actFromPhone } from './acts.ts'
import { actOnDevice, onDevice } from './devices.ts'
import { bringJob, burstFromPhone, ringFromPhone, sendFromPhone, typeOnPhone } from './from-phone.ts'
import { addGroup, changeGroup, changeMember, leaveGroups } from './groups.ts'
import { saveOnPhone } from './history.ts'
import { WORLD } from './orders.ts'
import { reconnectJob, setFaults } from './outage.ts'
import { addPhone, emptyPhone, readLab, readMessages, readTrail, removePhone } from './phones.ts'
import { reportJob } from './provider-faults.ts'
import { phonesEnd, readOnPhone, receiptJob } from './to-phone.ts'
import { closeWorlds, localWhatsApp } from './world.ts'

provideLocalEnd('lab', phonesEnd)
provideLocalEnd('lab-device', (platform) => ({ ...phonesEnd(platform), onDevice: onDevice(platform) }))

provideLocalServer(WORLD, localWhatsApp)

const done = { message: 'OK' }

const routes = implement(lab, {
  list: (ctx) => readLab(ctx),
  create: (ctx, { body }) => addPhone(ctx, body),
  createGroup: (ctx, { body }) => addGroup(ctx, body),
  changeGroup: (ctx, { params, body, files }) => changeGroup(ctx, params.id, { ...body, file: files[0] }),
  changeMember: (ctx, { params, body }) => changeMember(ctx, params.id, body),
  remove: async (ctx, { params }) => {
    await leaveGroups(ctx, params.id)
    await removePhone(ctx, params.id)
    return done
  },
  messages: (ctx, { params, query }) => readMessages(ctx, params.id, query.cursor),
  send: (ctx, { params, body, files }) => sendFromPhone(ctx, params.id, { ...body, file: files[0] }),
  burst: async (ctx, { params, body }) => ({ ids: await burstFromPhone(ctx, params.id, body.count) }),
  keep: (ctx, { params, body }) => saveOnPhone(ctx, params.id, body.messages),
  ring: async (ctx, { params }) => {
    await ringFromPhone(ctx, params.id)
    return done
  },
  act: (ctx, { params, body }) => actFromPhone(ctx, params, body),
  clear: async (ctx, { params }) => {
    await emptyPhone(ctx, params.id)
    return done
  },
  typing: async (ctx, { params, body }) => {
    await typeOnPhone(ctx, params.id, body.state)
    return done
  },
  read: async (ctx, { params, body }) => {
    await readOnPhone(ctx, params.id, body.played)
    return done
  },
  setFaults: (ctx, { params, body }) => setFaults(ctx, params.id, body),
  device: async (ctx, { params, body }) => {
    await actOnDevice(ctx, params.id, body)
    return done
  },
  trail: (ctx, { params }) => readTrail(ctx, params.id, params.messageId),
})

/** Feature of the Laboratório de canais: virtual phones on channels. */
export const labFeature: Feature = {
  name: 'lab',
  titles: { lab: 'Laboratório de canais' },
  permissions,
  routes,
  jobs: [bringJob, receiptJob, reconnectJob, reportJob],
  start: async (platform) => () => closeWorlds(platform),
  constraints: { lab_phones_number: 'ERR_DUPLICATED', lab_messages_pkey: 'ERR_DUPLICATED' },
}
