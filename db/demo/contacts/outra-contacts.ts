import type { Contact } from '../types.ts'

/** The people who write to the second tenant. */
export const outraContacts: readonly Contact[] = [
  {
    name: 'Camila Zanette',
    phone: '+5548903147634',
    email: 'camila.zanette@correio.test',
    city: 'Florianópolis/SC',
  },
  {
    name: 'Duarte Nogueira Pires',
    phone: null,
    email: 'duarte.pires@mail.test',
    city: 'Setúbal/PT',
  },
  {
    name: 'Sílvio Medeiros',
    phone: '+5548906777761',
    email: 'silvio.medeiros@mail.test',
    city: 'São José/SC',
  },
  {
    name: 'Raimunda Teles',
    phone: '+5548908034441',
    city: 'Palhoça/SC',
  },
  {
    name: 'Hildegard Schumacher',
    phone: null,
    email: 'hilde.schumacher@correio.test',
    city: 'Blumenau/SC',
  },
  {
    name: 'Guilherme Dalpiaz',
    phone: '+5549906150967',
    email: 'gui.dalpiaz@correio.test',
    city: 'Chapecó/SC',
  },
]
