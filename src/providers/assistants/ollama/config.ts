import { modelConfig } from '../llm.ts'

/** Config of models on a self-hosted machine. */
export const ollamaConfig = modelConfig('ollama', {
  name: 'Ollama',
  help: 'De graça, na própria máquina: instale o Ollama (ollama.com), rode “ollama pull llama3.2” e escolha o modelo aqui. O endereço precisa estar em OUTBOUND_ALLOW, como em OUTBOUND_ALLOW=127.0.0.1.',
  baseUrl: 'http://127.0.0.1:11434/api',
  keyIsNeeded: false,
})
