import type { Contact } from '../types.ts'

/** The people and firms who write to a veterinary clinic; phones lie in 90…, a range without known numbers. */
export const vetContacts: readonly Contact[] = [
  {
    name: 'Josivânia Barros',
    phone: '+5581905400174',
    email: 'josi.barros@correio.test',
    city: 'Recife/PE',
  },
  {
    name: 'Fernando Lustosa',
    phone: null,
    email: 'fer.lustosa@mail.test',
    city: 'Olinda/PE',
  },
  {
    name: 'Ítalo Vasconcelos',
    phone: '+5581906725133',
    email: 'italo.vasc@caixapostal.test',
    city: 'Jaboatão/PE',
  },
  {
    name: 'Maria Eduarda Falcão',
    phone: '+5581903058792',
    email: 'duda.falcao@caixapostal.test',
    city: 'Recife/PE',
  },
  {
    name: 'Heloísa Montenegro',
    phone: '+5583908370160',
    email: 'helo.montenegro@correio.test',
    city: 'João Pessoa/PB',
  },
  {
    name: 'Amanda Cordeiro',
    phone: '+5581908597170',
    email: 'amanda.cord@caixapostal.test',
    city: 'Recife/PE',
  },
  {
    name: 'Baltazar Quirino',
    phone: '+5581905306281',
    city: 'Paulista/PE',
  },
  {
    name: 'Carolina Dantas Vaz',
    phone: '+5583906989653',
    email: 'carol.vaz@correio.test',
    city: 'Cabedelo/PB',
  },
  {
    name: 'Diógenes Farias',
    phone: '+5581904324071',
    city: 'Camaragibe/PE',
  },
  {
    name: 'Emanuelle Rosado',
    phone: '+5584903461585',
    email: 'manu.rosado@caixapostal.test',
    city: 'Natal/RN',
  },
  {
    name: 'Francisco das Chagas',
    phone: '+5588907395385',
    city: 'Crato/CE',
  },
  {
    name: 'Geovana Brandt',
    phone: '+5581905778204',
    city: 'Recife/PE',
  },
  {
    name: 'Hugo Cavalcanti Reis',
    phone: '+5581903289217',
    email: 'hugo.reis@caixapostal.test',
    city: 'Recife/PE',
  },
  {
    name: 'Inácia Batista',
    phone: '+5587906764347',
    city: 'Petrolina/PE',
  },
  {
    name: 'Jorge Luiz Menezes',
    phone: '+5581905317405',
    city: 'Recife/PE',
  },
  {
    name: 'Kátia Suassuna',
    phone: '+5583906147990',
    email: 'katia.suassuna@caixapostal.test',
    city: 'Campina Grande/PB',
  },
  {
    name: 'Leopoldo Arruda',
    phone: '+5581905911607',
    city: 'Gravatá/PE',
  },
  {
    name: 'Mirela Tavolaro',
    phone: '+5511904093940',
    email: 'mirela.tavolaro@caixapostal.test',
    city: 'São Paulo/SP',
  },
  {
    name: 'Noêmia Sarmento',
    phone: '+5582906354800',
    city: 'Maceió/AL',
  },
  {
    name: 'Ozias Calado',
    phone: '+5581907029066',
    city: 'Igarassu/PE',
  },
  {
    name: 'Pâmela Guedes',
    phone: '+5581902740918',
    email: 'pam.guedes@caixapostal.test',
    city: 'Recife/PE',
  },
  {
    name: 'Rinaldo Vieira Dias',
    phone: '+5581905956090',
    city: 'Recife/PE',
  },
  {
    name: 'Soraia Albuquerque',
    phone: '+5581906954667',
    city: 'Vitória de Santo Antão/PE',
  },
  {
    name: 'Tomás Ferraz Leitão',
    phone: '+5581902524281',
    email: 'tom.leitao@mail.test',
    city: 'Recife/PE',
  },
  {
    name: 'Vanderléa Pinho',
    phone: '+5581906303437',
    city: 'São Lourenço/PE',
  },
  {
    name: 'Xênia Maranhão',
    phone: '+5586909621359',
    city: 'Teresina/PI',
  },
  {
    name: 'Leônidas Trajano',
    phone: '+5581909934194',
    city: 'Recife/PE',
  },
  {
    name: 'Matilde Uchôa',
    phone: '+5581903081944',
    email: 'matilde.uchoa@correio.test',
    city: 'Recife/PE',
  },
  {
    name: 'Nilton Bragantino',
    phone: '+5581906346162',
    city: 'Recife/PE',
  },
]
