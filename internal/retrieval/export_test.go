package retrieval

// RenderContextWith is RenderContext by other settings.
var RenderContextWith = renderContext
