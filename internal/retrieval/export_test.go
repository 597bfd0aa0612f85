package retrieval

// RenderContextWith is RenderContext with the given settings.
var RenderContextWith = renderContext
