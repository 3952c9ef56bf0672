import type { NumberStateChange } from '#domain/connections/number-state.ts'

/** Returns the notification to administrators about a change: event and advice. */
export function noticeOf(name: string, { what, after }: NumberStateChange): { title: string; text: string } {
  switch (what) {
    case 'quality':
      return {
        title: `A qualidade de “${name}” caiu para ${after === 'RED' ? 'baixa' : 'média'}`,
        text: 'Contatos bloquearam ou denunciaram o número. Envie menos modelos, só a quem pediu, antes que o limite caia.',
      }
    case 'limit':
      return {
        title: `O limite de “${name}” caiu para ${Number(after).toLocaleString('pt-BR')} contatos por dia`,
        text: 'Conversas que a empresa começa acima do limite são recusadas. Melhore a qualidade para que ele volte a subir.',
      }
    case 'status':
      return {
        title: `O número “${name}” foi marcado pelo provedor`,
        text: 'Ele está com restrições ou desligado. Veja em Números o que mudou, e o motivo no painel do provedor.',
      }
    case 'name':
      return {
        title: `O nome de “${name}” não foi aceito`,
        text: 'Os contatos veem só o número. Peça outro nome no painel do provedor.',
      }
    case 'restriction':
      return {
        title: `A conta de “${name}” foi restrita`,
        text: 'O provedor limitou ou barrou a conta. Um administrador vê o motivo e recorre no painel do provedor.',
      }
    case 'payment':
      return {
        title: `Falta um pagamento na conta de “${name}”`,
        text: 'Mensagens não são entregues até que a forma de pagamento seja regularizada no painel do provedor.',
      }
  }
}
