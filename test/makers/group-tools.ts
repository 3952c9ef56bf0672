import { connectionOf, type FeatureMakers, type Making, rowsOf } from './maker.ts'

const KEY = '120363000000000001'

/** A channel with a group. */
const channelOf = async (making: Making): Promise<number> => {
  const connection_id = await connectionOf('lab')(making)
  await rowsOf(making).insert('channel_groups', making.tenantId, {
    ...{ connection_id, key: KEY, name: 'Meu grupo', role: 'admin', seen_at: making.product.platform.now() },
  })
  return connection_id
}

const jobOf = async (making: Making): Promise<number> =>
  rowsOf(making).insert('group_jobs', making.tenantId, {
    ...{ kind: 'title', connection_id: await channelOf(making), created_at: making.product.platform.now() },
    params: JSON.stringify({ text: 'Outro nome' }),
    status: making.op.name === 'resume' ? 'paused' : 'processing',
  })

const ruleOf = async (making: Making): Promise<number> => {
  const at = making.product.platform.now()
  return rowsOf(making).insert('group_rules', making.tenantId, {
    ...{ kind: 'word', connection_id: await channelOf(making), key: KEY, group_name: 'Meu grupo', value: 'palavra' },
    ...{ deletes: true, created_at: at, updated_at: at },
  })
}

export const makers: FeatureMakers = {
  params: { 'groupJobs.id': jobOf, 'groupRules.id': ruleOf },
  bodies: {
    'groupTools.create': { participants: ['11988887777'], title: 'Turma', quantity: 1 },
    'groupTools.promote': { participants: ['11988887777'], groupIds: [KEY] },
    'groupTools.demote': { participants: ['11988887777'], groupIds: [KEY] },
    'groupTools.add': { participants: ['11988887777'], groupIds: [KEY] },
    'groupTools.remove': { participants: ['11988887777'], groupIds: [KEY] },
    'groupTools.picturesUrl': { picture: 'https://loja.example/foto.png', groupIds: [KEY] },
    'groupRules.create': { kind: 'word', value: 'palavra', groupId: KEY, deletes: true },
    'groupRules.update': { kind: 'word', value: 'palavra', groupId: KEY, deletes: true },
  },
}
