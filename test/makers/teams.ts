import { type FeatureMakers, type Making, rowsOf } from './maker.ts'

const teamOf = (making: Making) => rowsOf(making).insert('teams', making.tenantId, { name: `Equipe ${Math.random()}` })

export const makers: FeatureMakers = {
  params: {
    'teams.id': teamOf,
    'teams.groupId': teamOf,
    'teams.userId': async (making) => (await rowsOf(making).user(making.tenantId)).id,
  },
}
