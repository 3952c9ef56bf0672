/** Idle times until automatic closing: minutes, with display names. */
export const AUTO_CLOSE_TIMES = {
  '10': '10 minutos',
  '60': '1 hora',
  '1440': '1 dia',
  '7200': '5 dias',
  '14400': '10 dias',
} as const

/** Auto-close rules of a queue: the company's time, its own time, or never. */
export const AUTO_CLOSE_RULES = { company: 'Como a empresa', own: 'Com tempo próprio', never: 'Nunca' } as const
