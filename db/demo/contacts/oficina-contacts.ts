import type { Contact } from '../types.ts'

/** The people and firms who write to a car workshop; phones lie in 90…, a range without known numbers. */
export const oficinaContacts: readonly Contact[] = [
  {
    name: 'Keila Rodrigues',
    phone: '+5562904870688',
    email: 'keila.rod@correio.test',
    city: 'Goiânia/GO',
  },
  {
    name: 'Leandro Fagundes',
    phone: '+5562904599664',
    email: 'leandro.fagundes@correio.test',
    city: 'Aparecida de Goiânia/GO',
  },
  {
    name: 'Genésio Alencar',
    phone: '+5562905379809',
    city: 'Trindade/GO',
  },
  {
    name: 'Deivid Camilo',
    phone: '+5562904002778',
    email: 'deivid.camilo@mail.test',
    city: 'Senador Canedo/GO',
  },
  {
    name: 'Transportes Rio Vermelho',
    phone: null,
    email: 'manutencao@rvtransportes.test',
    city: 'Goiânia/GO',
    company: 'Transportes Rio Vermelho Ltda',
  },
  {
    name: 'Jonas Pimentel',
    phone: '+5562902363924',
    email: 'jonas.pimentel@mail.test',
    city: 'Goiânia/GO',
  },
  {
    name: 'Antenor Crisóstomo',
    phone: '+5562907448829',
    city: 'Goiânia/GO',
  },
  {
    name: 'Belinha Vasconcellos',
    phone: '+5562905460503',
    city: 'Anápolis/GO',
  },
  {
    name: 'Clodoaldo Rezende Neto',
    phone: '+5562905040524',
    city: 'Inhumas/GO',
  },
  {
    name: 'Daniele Freitas Couto',
    phone: '+5562908350501',
    email: 'dani.couto@mail.test',
    city: 'Goiânia/GO',
  },
  {
    name: 'Ermínio Sabino',
    phone: '+5564903117618',
    city: 'Jataí/GO',
  },
  {
    name: 'Fernanda Tocantins',
    phone: '+5563901175821',
    email: 'fe.tocantins@mail.test',
    city: 'Palmas/TO',
  },
  {
    name: 'Gilson Barbacena',
    phone: '+5562904046278',
    city: 'Goianira/GO',
  },
  {
    name: 'Hosana Milhomem',
    phone: '+5562903227830',
    city: 'Goiânia/GO',
  },
  {
    name: 'Irineu Castilho',
    phone: '+5562909199031',
    city: 'Nerópolis/GO',
  },
  {
    name: 'Jandira Lustosa Melo',
    phone: '+5562901800058',
    city: 'Goiânia/GO',
  },
  {
    name: 'Kaique Drumond',
    phone: '+5562902523633',
    email: 'kaique.drum@caixapostal.test',
    city: 'Aparecida de Goiânia/GO',
  },
  {
    name: 'Laudelino Porfírio',
    phone: '+5562902507251',
    city: 'Bela Vista/GO',
  },
  {
    name: 'Magnólia Prestes',
    phone: '+5562909636456',
    email: 'mag.prestes@correio.test',
    city: 'Goiânia/GO',
  },
  {
    name: 'Norberto Queirós',
    phone: '+5562901982441',
    city: 'Senador Canedo/GO',
  },
  {
    name: 'Onofra Dias',
    phone: '+5562905682562',
    city: 'Hidrolândia/GO',
  },
  {
    name: 'Plínio Arantes',
    phone: '+5562904290426',
    email: 'plinio.ara@correio.test',
    city: 'Goiânia/GO',
  },
  {
    name: 'Rosemary Tavares Jr',
    phone: '+5562909435245',
    city: 'Trindade/GO',
  },
  {
    name: 'Silmara Goulart Pena',
    phone: '+5562906657849',
    city: 'Caldas Novas/GO',
  },
  {
    name: 'Teobaldo Nascentes',
    phone: '+5562902273380',
    city: 'Goiânia/GO',
  },
  {
    name: 'Ulysses Cambraia',
    phone: '+5562902597512',
    email: 'uly.cambraia@caixapostal.test',
    city: 'Goiânia/GO',
  },
  {
    name: 'Valdirene Assis',
    phone: '+5562909750853',
    city: 'Goiânia/GO',
  },
  {
    name: 'Yasmin Coutinho',
    phone: '+5562905385643',
    email: 'yas.coutinho@caixapostal.test',
    city: 'Goiânia/GO',
  },
  {
    name: 'Zulmira Peixe',
    phone: '+5562905924653',
    city: 'Goiás/GO',
  },
  {
    name: 'Valmir Estrela',
    phone: '+5562901623845',
    city: 'Goiânia/GO',
  },
  {
    name: 'Ximena Arruda Leal',
    phone: '+5562906853308',
    city: 'Goiânia/GO',
  },
]
