/** The names of all providers of assistants in the order of the menu, in one text: every page has them. Each id is the first word. */
export const assistantNames =
  'ChatGPT,Claude,Gemini,Ollama,LM Studio,Grok,DeepSeek,Qwen,GroqCloud,Typebot,Dialogflow,Dify,n8n,Vapi'
