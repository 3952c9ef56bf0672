/** Description of a file in `db/demo/media`: contents of a picture, or words and seconds of a voice note. */
type Description =
  | { kind: 'image'; mime: 'image/jpeg'; alt: string }
  | { kind: 'audio'; mime: 'audio/ogg'; seconds: number; transcript: string }
  | { kind: 'document'; mime: 'application/pdf'; alt: string }

const picture = (alt: string): Description => ({ kind: 'image', mime: 'image/jpeg', alt })
const pdf = (alt: string): Description => ({ kind: 'document', mime: 'application/pdf', alt })
const voice = (seconds: number, transcript: string): Description => ({
  kind: 'audio',
  mime: 'audio/ogg',
  seconds,
  transcript,
})

/** Every file that a conversation may send, by its name in the media folder. */
export const demoMedia = {
  'bolo-morango.jpg': picture('Bolo com calda de chocolate, morangos e velas'),
  'cabo-rompido.jpg': picture('Poste com cabos soltos ao entardecer'),
  'cachorro-caramelo.jpg': picture('Cachorro caramelo de coleira azul'),
  'cadeira-quebrada.jpg': picture('Cadeira de madeira com a perna quebrada no chão'),
  'caixa-amassada.jpg': picture('Caixa de papelão com a quina amassada'),
  'comprovante-pix.jpg': picture('Comprovante de Pix de R$ 1.467,00'),
  'cupom-oficina.jpg': picture('Cupom da oficina sobre a mesa, com uma chave'),
  'docinhos.jpg': picture('Bandeja de brigadeiros e beijinhos'),
  'fachada-casa.jpg': picture('Casa térrea com garagem e jardim'),
  'painel-injecao.jpg': picture('Painel do carro com a luz da injeção acesa'),
  'parachoque-amassado.jpg': picture('Traseira de carro vermelho com o para-choque amassado'),
  'parede-infiltracao.jpg': picture('Canto do teto com infiltração e mofo'),
  'planta-apto-72.jpg': picture('Planta de apartamento de dois dormitórios'),
  'radiografia-46.jpg': picture('Radiografia de um molar com cárie'),
  'roteador-luz-vermelha.jpg': picture('Roteador preto com uma luz vermelha'),
  'sala-vazia.jpg': picture('Sala com uma parede livre e a TV no chão'),
  'sofa-cinza.jpg': picture('Sofá cinza de três lugares'),
  'tampo-riscado.jpg': picture('Tampo de madeira com um risco'),
  'teste-velocidade.jpg': picture('Teste de velocidade com 11,8 Mbps'),
  'voz-aluguel.ogg': voice(
    22,
    'Moço, é o seguinte. Meu marido, o João, operou a coluna e tá encostado. Eu sei que o aluguel venceu dia cinco. Eu não quero sair da casa, só preciso de um prazo. Faz seis anos que a gente mora aqui, e nunca atrasou.',
  ),
  'voz-barulho.ogg': voice(14, 'Olha só o barulho, moça. (ronco) Agora virando pra direita.'),
  'voz-cachorro.ogg': voice(
    13,
    'Ele encosta a patinha no chão e levanta na mesma hora, sabe? Ontem ele subiu no sofá, enquanto eu tava no banho, e desceu de uma vez. Desde aí ficou assim, todo dengoso.',
  ),
  'voz-cartao.ogg': voice(
    11,
    'É assim, ó. Mãe, são mil e duzentos quilômetros, mas o cheiro do seu café chega aqui. Feliz dia. Seu Vini.',
  ),
  'voz-dente.ogg': voice(
    12,
    'Ó, é o dente de baixo, do lado direito, lá no fundo. Não dormi nada essa noite. Não consigo nem encostar a língua, e o rosto já tá começando a inchar.',
  ),
  'voz-explica.ogg': voice(
    16,
    'Seu Alcides, olha só. É o aparelho branco, pequenininho, do lado da televisão. Segue o fio dele com a mão, até a parede, e me conta: a tomada dele está ligada?',
  ),
  'voz-obrigado.ogg': voice(
    10,
    'Ana, obrigado, viu? O pessoal aqui bateu palma pro motobói. O diretor de São Paulo quer levar pão de queijo na mala. Valeu mesmo!',
  ),
  'voz-tampo.ogg': voice(
    17,
    'Então, Bia, eu não sei se foi no transporte, ou se já veio assim da fábrica. É bem no meio do tampo, passa a unha e sente. Fiquei tão triste. A mesa é linda, mas assim, nova, com risco, não dá, né?',
  ),
  'cardapio-encomendas.pdf': pdf('Cardápio de encomendas da confeitaria'),
  'contrato-fibra-serrana.pdf': pdf('Minuta de contrato de internet'),
  'ficha-locacao.pdf': pdf('Ficha de locação em branco'),
  'laudo-nina.pdf': pdf('Laudo de exame de sangue de uma gata'),
  'nota-fiscal-4512.pdf': pdf('Nota fiscal de móveis'),
  'orcamento-frota.pdf': pdf('Proposta de manutenção de frota'),
  'orcamento-salao.pdf': pdf('Orçamento de mesas e cadeiras'),
} satisfies Record<string, Description>

/** The name of a file in `db/demo/media`. */
export type DemoFile = keyof typeof demoMedia
