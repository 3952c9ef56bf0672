import type { Contact } from '../types.ts'

/** The people and firms who write to a dental clinic; phones lie in 90…, a range without known numbers. */
export const odontoContacts: readonly Contact[] = [
  {
    name: 'Rogério Camargo',
    phone: '+5543907516851',
    email: 'rogerio.camargo@mail.test',
    city: 'Londrina/PR',
  },
  {
    name: 'Kauã Ribas',
    phone: '+5543902881420',
    city: 'Cambé/PR',
  },
  {
    name: 'Sueli Marcondes',
    phone: null,
    email: 'sueli.marc@mail.test',
    city: 'Ibiporã/PR',
  },
  {
    name: 'Jéssica Moraes',
    phone: '+5543905942351',
    email: 'je.moraes@caixapostal.test',
    city: 'Londrina/PR',
  },
  {
    name: 'Cláudia Trevisan',
    phone: '+5543904288781',
    email: 'claudia.trevisan@caixapostal.test',
    city: 'Rolândia/PR',
  },
  {
    name: 'Eduardo Vasques',
    phone: '+5543903947538',
    email: 'eduardo@vasquesadv.test',
    city: 'Londrina/PR',
    company: 'Vasques Advocacia',
  },
  {
    name: 'Valdir Schiavon',
    phone: '+5543907458649',
    city: 'Arapongas/PR',
  },
  {
    name: 'Mariana Queiroz',
    phone: '+5544905103946',
    email: 'mari.queiroz@correio.test',
    city: 'Maringá/PR',
  },
  {
    name: 'Elias Nakagawa',
    phone: '+5544901013372',
    city: 'Maringá/PR',
  },
  {
    name: 'Fátima Aparecida Lemes',
    phone: '+5543907641855',
    city: 'Jataizinho/PR',
  },
  {
    name: 'Gustavo Pellegrini',
    phone: '+5541907887864',
    email: 'gus.pelle@mail.test',
    city: 'Curitiba/PR',
  },
  {
    name: 'Helena Zorzetto',
    phone: '+5543907799130',
    city: 'Londrina/PR',
  },
  {
    name: 'Ivan Kowalczuk',
    phone: '+5542901276309',
    city: 'Prudentópolis/PR',
  },
  {
    name: 'Jaciara Tupinambá',
    phone: '+5592901034236',
    city: 'Manaus/AM',
  },
  {
    name: 'Kléber Matsunaga',
    phone: '+5543904311583',
    city: 'Londrina/PR',
  },
  {
    name: 'Lídia Pontes',
    phone: '+5543909103945',
    email: 'lidia.pontes@mail.test',
    city: 'Cambé/PR',
  },
  {
    name: 'Maurílio Gaspar',
    phone: '+5518901277784',
    city: 'Assis/SP',
  },
  {
    name: 'Natália Brizola',
    phone: '+5551903848980',
    email: 'nati.brizola@caixapostal.test',
    city: 'Canoas/RS',
  },
  {
    name: 'Odair José Fiorin',
    phone: '+5543902880760',
    city: 'Ibiporã/PR',
  },
  {
    name: 'Perla Giménez',
    phone: '+5545904582350',
    city: 'Foz do Iguaçu/PR',
  },
  {
    name: 'Quirino Alves Neto',
    phone: '+5544906815746',
    city: 'Paranavaí/PR',
  },
  {
    name: 'Rebeca Hofmann',
    phone: '+5543903193339',
    city: 'Londrina/PR',
  },
  {
    name: 'Samuel Iglesias',
    phone: '+5543904529461',
    city: 'Rolândia/PR',
  },
  {
    name: 'Tereza Cristina Lobo',
    phone: '+5543909733917',
    email: 'tereza.lobo@correio.test',
    city: 'Londrina/PR',
  },
  {
    name: 'Ubiratan Moura',
    phone: '+5543906114181',
    city: 'Tamarana/PR',
  },
  {
    name: 'Vitória Lacerda',
    phone: '+5543901927853',
    email: 'vi.lacerda@mail.test',
    city: 'Londrina/PR',
  },
  {
    name: 'Washington Prates',
    phone: '+5543905238475',
    city: 'Sertanópolis/PR',
  },
  {
    name: 'Yara Figueirôa',
    phone: '+5543907825781',
    city: 'Londrina/PR',
  },
  {
    name: 'Zilda Montoro',
    phone: '+5543909403018',
    city: 'Londrina/PR',
  },
  {
    name: 'Aírton Bessa',
    phone: '+5543901024902',
    city: 'Arapongas/PR',
  },
  {
    name: 'Ivone Serafim',
    phone: '+5514907084725',
    city: 'Bauru/SP',
  },
  {
    name: 'Jairo Benvenutti',
    phone: '+5543905271876',
    city: 'Londrina/PR',
  },
  {
    name: 'Kênia Portilho',
    phone: '+5543902352670',
    email: 'kenia.port@caixapostal.test',
    city: 'Londrina/PR',
  },
]
