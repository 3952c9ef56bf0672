import type { QuickReply } from './types.ts'

/** Quick replies of the first tenant's team, in the order of use in a day. */
export const quickReplies: readonly QuickReply[] = [
  { key: 'oi', title: 'Abertura', message: '{{greeting}}, {{firstName}}! Aqui é {{user}}. Como posso ajudar?' },
  {
    key: 'jaja',
    title: 'Um instante',
    message: 'Só um instante, {{firstName}}, estou verificando aqui e já te respondo.',
  },
  {
    key: 'troca',
    title: 'Troca de produto',
    message:
      'Abro a troca agora mesmo, {{firstName}}. A coleta é grátis e leva até 3 dias úteis. Pode me mandar uma foto do produto e outra da etiqueta da caixa?',
  },
  {
    key: 'trocaprazo',
    title: 'Prazo da troca',
    message:
      'A peça nova sai da fábrica em 7 dias úteis e a entrega é agendada com você. Enquanto isso, fique com a atual.',
  },
  {
    key: 'trocanota',
    title: 'Nota fiscal da troca',
    message: 'A nota da troca vai para {{email}} assim que for emitida. Se o e-mail mudou, me avisa por aqui.',
  },
  {
    key: 'pix',
    title: 'Chave Pix',
    message:
      'A chave Pix é o nosso CNPJ e o nome que aparece é o da loja. *Confira o nome antes de confirmar* e me mande o comprovante por aqui, por favor.',
  },
  {
    key: 'boleto',
    title: 'Segunda via de boleto',
    message:
      '{{firstName}}, segue a segunda via. O boleto vence hoje e pode ser pago em qualquer banco, lotérica ou aplicativo.',
  },
  {
    key: 'frete',
    title: 'Frete e prazo',
    message:
      'Me passa o CEP e o andar, {{firstName}}? Com isso calculo frete, prazo e se precisa de elevador de serviço.',
  },
  {
    key: 'entrega',
    title: 'Saiu para entrega',
    message: '{{firstName}}, seu pedido saiu para entrega! O motorista liga uns 30 minutos antes de chegar.',
  },
  {
    key: 'montagem',
    title: 'Antes da montagem',
    message: 'A montagem é gratuita. Peço só que o espaço esteja livre e que haja alguém maior de 18 anos em casa.',
  },
  {
    key: 'garantia',
    title: 'Como acionar a garantia',
    message:
      'Sua garantia está valendo. Para abrir o chamado preciso de três coisas: número do pedido, foto do defeito e um horário bom para a visita.',
  },
  {
    key: 'agenda',
    title: 'Confirmar consulta',
    message: '{{firstName}}, passando para confirmar seu horário. Responda *sim* para manter ou me diga outro dia.',
  },
  {
    key: 'jejum',
    title: 'Preparo do exame',
    message:
      'Para o exame são 8 horas de jejum. Água pode até 2 horas antes. Remédio de uso contínuo: me avise qual, que pergunto ao doutor.',
  },
  {
    key: 'reinicia',
    title: 'Reiniciar o aparelho',
    message:
      'Vamos por partes: tire o aparelho da tomada, conte até 30 e ligue de novo. Leva uns 2 minutos para as luzes ficarem firmes. Me diz qual fica vermelha?',
  },
  {
    key: 'visita',
    title: 'Visita técnica',
    message:
      'Agendei a visita, {{firstName}}. O técnico chega identificado com crachá e nunca pede pagamento em dinheiro.',
  },
  {
    key: 'encomenda',
    title: 'Dados da encomenda',
    message:
      'Para fechar a encomenda me confirma: data e horário, número de pessoas, sabor, e se alguém tem alergia. O sinal é de 50%.',
  },
  {
    key: 'cardapio',
    title: 'Cardápio de encomendas',
    message: 'Segue o nosso cardápio, {{firstName}}, com uma foto dos docinhos. Qual é a data da festa?',
    queue: 'Vendas',
    files: ['cardapio-encomendas.pdf', 'docinhos.jpg'],
  },
  {
    key: 'tomada',
    title: 'Onde fica a tomada do roteador',
    message: 'Ouve este recado, {{firstName}}, e me conta o que achou:',
    queue: 'Assistência',
    files: ['voz-explica.ogg'],
    voice: true,
  },
  {
    key: 'empresa',
    title: 'Proposta para empresa',
    message:
      '{{greeting}}! Preparo a proposta para {{businessName}} ainda hoje e mando para {{email}}. Faturamos em até 28 dias.',
  },
  {
    key: 'desculpa',
    title: 'Erro nosso',
    message:
      '{{firstName}}, o erro foi nosso e peço desculpas. Já estou cuidando disso e só encerro quando você disser que está resolvido.',
  },
  {
    key: 'fora',
    title: 'Fora do horário',
    message:
      'Recebi sua mensagem, {{firstName}}. Nossa equipe volta amanhã às 8h e você é a primeira pessoa da fila. Protocolo {{protocol}}.',
  },
  {
    key: 'tchau',
    title: 'Encerramento',
    message: '{{firstName}}, agradeço o contato! Se precisar, é só chamar neste mesmo número. Protocolo {{protocol}}.',
  },
]
