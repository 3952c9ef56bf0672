import { modelConfig } from '../llm.ts'

/** Config of a self-hosted server with OpenAI's API. */
export const lmConfig = modelConfig('lm', {
  name: 'LM Studio',
  help: 'No LM Studio, carregue um modelo e ligue o servidor local; vale também qualquer servidor compatível com a OpenAI. Um endereço da rede interna precisa estar em OUTBOUND_ALLOW.',
  baseUrl: 'http://localhost:1234/v1',
  keyIsNeeded: false,
})
