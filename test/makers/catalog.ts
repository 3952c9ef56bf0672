import { randomUUID } from 'node:crypto'
import { type FeatureMakers, type Making, rowsOf } from './maker.ts'

const replyOf = (making: Making) =>
  rowsOf(making).insert('fast_replies', making.tenantId, {
    key: randomUUID(),
    message: 'Segue.',
    user_id: making.userId,
  })

async function fileOf(making: Making): Promise<string> {
  const m = rowsOf(making)
  const id = randomUUID()
  const file = { id, sha256: id, path: id, name: 'a.png', mime: 'image/png', size: 1 }
  await m.insert('files', making.tenantId, file)
  await making.product.platform.db.write(making.tenantId, (db) =>
    db
      .insertInto('fast_reply_files')
      .values({ tenant_id: making.tenantId, fast_reply_id: Number(making.beside['id']), file_id: id, position: 1 })
      .execute(),
  )
  return id
}

export const makers: FeatureMakers = {
  params: {
    'tagUses.id': (making) => rowsOf(making).tag(making.tenantId),
    'fastReplyFiles.id': replyOf,
    'fastReplyFiles.fileId:uuid': fileOf,
  },
}
