import { randomUUID } from 'node:crypto'
import { type FeatureMakers, rowsOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'fastReplyFiles.id': (making) => rowsOf(making).insert('fast_replies', making.tenantId, { key: 'a', message: 'b' }),
    'fastReplyFiles.fileId': async () => randomUUID(),
  },
}
