import { type FeatureMakers, rowsOf } from './maker.ts'

export const makers: FeatureMakers = {
  shared: ['announcements.remove.noticeId'],
  params: {
    'announcements.noticeId': (making) =>
      rowsOf(making).insert('announcements', making.tenantId, {
        ...{
          batch: crypto.randomUUID(),
          user_id: making.userId,
          message: 'Manutenção hoje',
          author_name: 'Instalação',
        },
        created_at: making.product.platform.now(),
      }),
  },
}
