/** Times of silence after which a ticket is resolved automatically: minutes → label. */
export const AUTO_CLOSE_TIMES = {
  '10': '10 minutos',
  '60': '1 hora',
  '1440': '1 dia',
  '7200': '5 dias',
  '14400': '10 dias',
} as const

/** Whether a queue's quiet tickets are resolved as the company has it, after a time of its own, or never. */
export const AUTO_CLOSE_RULES = { company: 'Como a empresa', own: 'Com tempo próprio', never: 'Nunca' } as const
