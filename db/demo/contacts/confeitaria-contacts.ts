import type { Contact } from '../types.ts'

/** The people and firms who write to a confectionery; phones lie in 90…, a range without known numbers. */
export const confeitariaContacts: readonly Contact[] = [
  {
    name: 'Conceição Andrade',
    phone: '+5531904508117',
    email: 'concei.andrade@mail.test',
    city: 'Contagem/MG',
  },
  {
    name: 'Rayssa Monteiro',
    phone: '+5531901577404',
    email: 'rayssa.mont@caixapostal.test',
    city: 'Belo Horizonte/MG',
  },
  {
    name: 'Lorena Drummond',
    phone: '+5531905318633',
    email: 'lorena.drummond@correio.test',
    city: 'Nova Lima/MG',
  },
  {
    name: 'Bruna Castanheira',
    phone: null,
    email: 'bru.castanheira@correio.test',
    city: 'Betim/MG',
  },
  {
    name: 'Murilo Teixeira',
    phone: '+5531904253533',
    email: 'murilo.tex@caixapostal.test',
    city: 'Belo Horizonte/MG',
  },
  {
    name: 'Instituto Serra do Curral',
    phone: null,
    email: 'eventos@serradocurral.test',
    city: 'Belo Horizonte/MG',
    company: 'Instituto Serra do Curral',
  },
  {
    name: 'Vinícius Okamura',
    phone: '+5567904345657',
    email: 'vini.okamura@mail.test',
    city: 'Campo Grande/MS',
  },
  {
    name: 'Alice Bernardes Pinto',
    phone: '+5531904472825',
    email: 'alice.bp@mail.test',
    city: 'Belo Horizonte/MG',
  },
  {
    name: 'Benedito Sampaio',
    phone: '+5531904977460',
    city: 'Ribeirão das Neves/MG',
  },
  {
    name: 'Catarina Vidigal',
    phone: '+5531907628486',
    email: 'cata.vidigal@mail.test',
    city: 'Belo Horizonte/MG',
  },
  {
    name: 'Deolinda Rocha',
    phone: '+5537907938019',
    city: 'Diamantina/MG',
  },
  {
    name: 'Emerson Calixto',
    phone: '+5531903815081',
    city: 'Vespasiano/MG',
  },
  {
    name: 'Fabíola Starling',
    phone: '+5531905334382',
    email: 'fabi.star@correio.test',
    city: 'Belo Horizonte/MG',
  },
  {
    name: 'Genival Tostes',
    phone: '+5531903490013',
    city: 'Betim/MG',
  },
  {
    name: 'Hilda Pimenta',
    phone: '+5531907827426',
    city: 'Sete Lagoas/MG',
  },
  {
    name: 'Iago Fernandino',
    phone: '+5531909312371',
    email: 'iago.fern@correio.test',
    city: 'Belo Horizonte/MG',
  },
  {
    name: 'Janaína Fróes',
    phone: '+5533909978120',
    city: 'Ipatinga/MG',
  },
  {
    name: 'Kelly Cristina Amorim',
    phone: '+5531908111489',
    city: 'Santa Luzia/MG',
  },
  {
    name: 'Lucinda Prado Vale',
    phone: '+5531908804495',
    email: 'lucinda.vale@caixapostal.test',
    city: 'Nova Lima/MG',
  },
  {
    name: 'Moacir Delgado',
    phone: '+5531906854731',
    city: 'Ibirité/MG',
  },
  {
    name: 'Neide Fagundes Alvim',
    phone: '+5531902790002',
    city: 'Itabirito/MG',
  },
  {
    name: 'Oto Lagares',
    phone: '+5531908557581',
    email: 'oto.lagares@correio.test',
    city: 'Belo Horizonte/MG',
  },
  {
    name: 'Pedrina Lacerda Sá',
    phone: '+5531902531336',
    city: 'Caeté/MG',
  },
  {
    name: 'Raul Sepúlveda',
    phone: '+5531909365838',
    email: 'raul.sep@mail.test',
    city: 'Belo Horizonte/MG',
  },
  {
    name: 'Selma Brant',
    phone: '+5538907171691',
    city: 'Montes Claros/MG',
  },
  {
    name: 'Tiago Vilaça',
    phone: '+5531903771907',
    city: 'Belo Horizonte/MG',
  },
  {
    name: 'Vera Lúcia Noronha',
    phone: '+5531903620266',
    city: 'Lagoa Santa/MG',
  },
  {
    name: 'Dandara Nogueira',
    phone: '+5531901151233',
    email: 'dandara.nog@mail.test',
    city: 'Belo Horizonte/MG',
  },
  {
    name: 'Roque Santini',
    phone: '+5531906729512',
    city: 'Nova Lima/MG',
  },
  {
    name: 'Silvana Mourthé',
    phone: '+5531906522577',
    email: 'silvana.mourthe@correio.test',
    city: 'Belo Horizonte/MG',
  },
  {
    name: 'Tancredo Arcanjo',
    phone: '+5531906238636',
    city: 'Belo Horizonte/MG',
  },
]
