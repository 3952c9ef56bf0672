import type { Contact } from '../types.ts'

/** The people and firms who write to an internet provider; phones lie in 90…, a range without known numbers. */
export const provedorContacts: readonly Contact[] = [
  {
    name: 'Edilene Sampaio',
    phone: '+5522904741316',
    email: 'edi.sampaio@caixapostal.test',
    city: 'Nova Friburgo/RJ',
  },
  {
    name: 'Igor Tavares',
    phone: '+5522908934203',
    email: 'igorzin.tav@mail.test',
    city: 'Teresópolis/RJ',
  },
  {
    name: 'Sebastião Quintella',
    phone: '+5522905726356',
    city: 'Bom Jardim/RJ',
  },
  {
    name: 'Rosângela Pitta',
    phone: null,
    email: 'rosangela.pitta@caixapostal.test',
    city: 'Nova Friburgo/RJ',
  },
  {
    name: 'Thiago Bevilaqua',
    phone: '+5524902555455',
    email: 'thiago.bevilaqua@mail.test',
    city: 'Petrópolis/RJ',
  },
  {
    name: 'Cleide Anunciação',
    phone: '+5522906868158',
    city: 'Cordeiro/RJ',
  },
  {
    name: 'Pousada Pico da Caledônia',
    phone: null,
    email: 'reservas@picodacaledonia.test',
    city: 'Nova Friburgo/RJ',
    company: 'Pousada Pico da Caledônia',
  },
  {
    name: 'Alcides Verediano',
    phone: '+5522908350605',
    city: 'Cantagalo/RJ',
  },
  {
    name: 'Patrícia Goulart',
    phone: '+5521907607643',
    email: 'patricia.goulart@correio.test',
    city: 'Rio de Janeiro/RJ',
  },
  {
    name: 'Alan Dieckmann',
    phone: '+5522904565265',
    email: 'alan.dieck@mail.test',
    city: 'Nova Friburgo/RJ',
  },
  {
    name: 'Beth Carneiro',
    phone: '+5522908800445',
    city: 'Duas Barras/RJ',
  },
  {
    name: 'Cristóvão Lima',
    phone: '+5522903084968',
    city: 'Macuco/RJ',
  },
  {
    name: 'Dayane Matoso',
    phone: '+5522904967888',
    email: 'day.matoso@mail.test',
    city: 'Nova Friburgo/RJ',
  },
  {
    name: 'Epaminondas Rangel',
    phone: '+5522906027457',
    city: 'Trajano de Moraes/RJ',
  },
  {
    name: 'Franciele Boechat',
    phone: '+5522903638271',
    email: 'fran.boechat@correio.test',
    city: 'Cachoeiras de Macacu/RJ',
  },
  {
    name: 'Geraldo Magela Pires',
    phone: '+5532902188803',
    city: 'Juiz de Fora/MG',
  },
  {
    name: 'Heverton Sardinha',
    phone: '+5522906748218',
    city: 'Itaperuna/RJ',
  },
  {
    name: 'Ilda Mastrangelo',
    phone: '+5522904964816',
    city: 'Nova Friburgo/RJ',
  },
  {
    name: 'Jéferson Quaresma',
    phone: '+5522904145257',
    email: 'jef.quaresma@mail.test',
    city: 'Nova Friburgo/RJ',
  },
  {
    name: 'Luzinete Borba',
    phone: '+5522903121803',
    city: 'Sumidouro/RJ',
  },
  {
    name: 'Márcio Heringer',
    phone: '+5522909084127',
    city: 'Nova Friburgo/RJ',
  },
  {
    name: 'Nair Espíndola',
    phone: '+5522902674709',
    city: 'Cordeiro/RJ',
  },
  {
    name: 'Orlandino Fonte',
    phone: '+5522905499126',
    city: 'Santa Maria Madalena/RJ',
  },
  {
    name: 'Poliana Erthal',
    phone: '+5522906135990',
    email: 'poli.erthal@caixapostal.test',
    city: 'Bom Jardim/RJ',
  },
  {
    name: 'Reginaldo Cabral',
    phone: '+5522903876760',
    city: 'Nova Friburgo/RJ',
  },
  {
    name: 'Stefany Ouverney',
    phone: '+5522907609879',
    city: 'Nova Friburgo/RJ',
  },
  {
    name: 'Teófilo Gripp',
    phone: '+5522905127438',
    city: 'Nova Friburgo/RJ',
  },
  {
    name: 'Umberto Salgueiro',
    phone: '+5521907496868',
    email: 'umberto.salg@caixapostal.test',
    city: 'Rio de Janeiro/RJ',
  },
  {
    name: 'Viviane Knupp',
    phone: '+5522905714237',
    city: 'Carmo/RJ',
  },
  {
    name: 'Wanderson Lessa',
    phone: '+5522907286892',
    city: 'Nova Friburgo/RJ',
  },
  {
    name: 'Otília Werneck',
    phone: '+5522907310114',
    city: 'Nova Friburgo/RJ',
  },
  {
    name: 'Péricles Lontra',
    phone: '+5522906008021',
    email: 'pericles.lontra@correio.test',
    city: 'Nova Friburgo/RJ',
  },
  {
    name: 'Quésia Damázio',
    phone: '+5522908936185',
    city: 'Macaé/RJ',
  },
]
