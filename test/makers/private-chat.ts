import { randomUUID } from 'node:crypto'
import { conversationOf } from '#domain/private-chat/conversation.ts'
import { insertMessage } from '#features/private-chat/server/queries.ts'
import { type FeatureMakers, rowsOf, self } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'privateChat.userId': self,
    'privateChat.contactId': async (making) => (await rowsOf(making).user(making.tenantId)).id,
    'privateChat.id:uuid': async (making) => {
      const { product, tenantId, userId } = making
      const peer = await rowsOf(making).user(tenantId)
      const [id, now] = [randomUUID(), product.platform.now()]
      const conversation = conversationOf(userId, { id: peer.id, isGroup: false })
      await product.platform.db.write(tenantId, (db) =>
        insertMessage(
          db,
          {
            ...{ id, conversation, senderId: userId, receiverId: peer.id, groupId: null, text: 'Oi' },
            ...{ mediaType: 'text', fileId: null, quotedId: null, mentions: [] },
          },
          now,
        ),
      )
      return id
    },
  },
}
