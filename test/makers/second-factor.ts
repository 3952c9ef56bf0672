import { type FeatureMakers, rowsOf, self } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'secondFactor.id': self,
    'passkeys.id': (making) =>
      rowsOf(making).insert('passkeys', making.tenantId, {
        user_id: making.userId,
        name: 'Celular',
        rp_id: 'localhost',
        credential_id: crypto.randomUUID(),
        public_key: Buffer.from('chave'),
      }),
  },
}
