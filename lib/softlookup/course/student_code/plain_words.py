"""The words that the check of students' code knows: what an answer is usually written with.

None of them leads to code that does not stand in the cells, and none hands out another module than
those that are listed. What is not among them is no offence; a person looks what it does. A word is
known in a place: as a name that Python has, as part of a module, or as what any object may have.
"""

import sys


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Functions that are the same for numbers, arrays and tensors, as functions or as methods.
_NUMERIC = _words("""
    abs absolute acos acosh add all allclose amax amin any arange arccos arccosh arcsin arcsinh
    arctan arctan2 arctanh argmax argmin argwhere argsort around array_equal asin asinh atan atan2
    atanh average bincount broadcast_to ceil clip clone column_stack concat concatenate copy
    copysign corrcoef cos cosh count_nonzero cov cross cummax cummin cumprod cumsum diag diagonal
    diff div divide dot dtype einsum empty empty_like equal exp exp2 expand_dims expm1 eye fabs
    flatten flip fliplr flipud floor floor_divide fmax fmin fmod frexp full full_like gcd greater
    greater_equal heaviside histc histogram hstack hypot imag inf inner int16 int32 int64 int8 inv
    isclose isfinite isin isinf isnan isneginf isposinf isreal item kron lcm ldexp less less_equal
    linspace log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor logspace
    matmul max maximum mean median meshgrid min minimum moveaxis multiply nan nan_to_num nanmean
    nanmedian nanquantile nansum nbytes ndim negative newaxis norm not_equal nonzero ones ones_like
    outer pad percentile permute pi pow power prod ptp quantile ravel real reciprocal remainder
    repeat reshape roll rot90 round searchsorted shape sigmoid sign sin sinc sinh size sort split
    sqrt square squeeze stack std subtract sum swapaxes take tan tanh tensordot tile to tolist trace
    transpose trapezoid tri tril tril_indices triu triu_indices true_divide trunc uint8 unique
    vander var vdot vstack where zeros zeros_like matrix_power matrix_rank solve det pinv cholesky
    qr svd eigh eig eigvals eigvalsh svdvals lstsq float16 float32 float64 finfo iinfo eps tiny
    smallest_normal resolution resolve_conj conj angle degrees radians deg2rad rad2deg dstack
    row_stack signbit sgn matrix_exp slogdet logdet inverse diagflat select
""")
_TENSOR = _NUMERIC | _words("""
    abs_ add_ addcdiv addcmul addmm as_tensor baddbmm bernoulli bernoulli_ bfloat16 bmm bool
    broadcast_tensors cat cdist ceil_ chunk clamp clamp_ clamp_max clamp_min contiguous copy_ cpu
    cuda data deg2rad detach detach_ device diag_embed dim dist div_ double element_size eq erf erfc
    exp_ expand expand_as fill_ fill_diagonal_ float frac gather ge gelu get_device grad gt half
    index_add index_add_ index_copy index_fill index_fill_ index_put index_select int is_contiguous
    is_floating_point is_leaf kthvalue layout le lerp lerp_ lgamma long logcumsumexp logit logsumexp
    lt mH mT masked_fill masked_fill_ masked_scatter masked_select mm movedim mul mul_ multinomial
    mv narrow ndimension ne neg neg_ nelement new_empty new_full new_ones new_tensor new_zeros
    normal_ numel numpy pow_ random_ relu relu_ repeat_interleave requires_grad requires_grad_
    reshape_as retain_grad rsqrt scatter scatter_ scatter_add scatter_add_ scatter_reduce select
    sigmoid_ softmax sqrt_ squeeze_ storage_offset stride sub sub_ swapdims t T take_along_dim
    tensor_split tolist topk transpose_ tril_ triu_ type type_as unbind unflatten unfold uniform_
    unsqueeze unsqueeze_ view view_as xlogy zero_ backward log_softmax var_mean std_mean item
    is_complex is_cuda hardtanh addr addbmm addmv ger bitwise_and bitwise_or bitwise_xor bitwise_not
    unique_consecutive float_power is_nonzero byte short mode msort sum_to_size adjoint H aminmax
""")
# What changes a tensor in place computes as the function whose name it has.
_TENSOR |= {f"{name}_" for name in _NUMERIC | _TENSOR}
LAYERS = _words("""
    Module Parameter Linear Embedding LayerNorm RMSNorm GroupNorm BatchNorm1d Dropout ReLU GELU SiLU
    ELU Tanh Sigmoid Softplus Softmax LogSoftmax LeakyReLU Sequential ModuleList ModuleDict
    ParameterList Identity Flatten Unflatten Conv1d Conv2d AvgPool2d MaxPool2d
    CrossEntropyLoss MSELoss NLLLoss L1Loss BCELoss BCEWithLogitsLoss cross_entropy mse_loss
    glu group_norm
    nll_loss l1_loss smooth_l1_loss layer_norm rms_norm linear embedding dropout silu elu leaky_relu
    softplus one_hot normalize cosine_similarity binary_cross_entropy
    binary_cross_entropy_with_logits hardsigmoid hardswish logsigmoid softsign kl_div
    adaptive_avg_pool2d avg_pool2d max_pool2d conv1d conv2d xavier_uniform_ xavier_normal_
    kaiming_uniform_ kaiming_normal_ constant_ zeros_ ones_ eye_ trunc_normal_ orthogonal_ uniform_
    normal_ calculate_gain
""")
# The names by which modules are known where nobody imports them under another.
USUAL = {
    "torch": "torch",
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "np": "numpy",
    "math": "math",
}
# Modules within a module, by the first part of its name.
PARTS = {
    "torch": _words("""
        nn functional init linalg random testing cpu cuda mps backends
        cudnn special fft version deterministic
    """),
    "numpy": _words("linalg random fft testing"),
    "collections": {"abc"},
    "scipy": _words("special stats linalg"),
    "softlookup": _words("""
        course seeding figures running losses evaluation layers masks positions training models gpt
        exercises coursework normalization feed_forward embeddings attention multi_head blocks
        stacks decoder_blocks grouped_query recurrent patches
    """),
}
_TORCH = (
    (_TENSOR - {"grad"})
    | LAYERS
    | PARTS["torch"]
    | _words("""
        Tensor FloatTensor DoubleTensor LongTensor IntTensor BoolTensor Size Generator tensor
        from_numpy rand rand_like randint randn randn_like randperm normal manual_seed
        seed initial_seed get_default_dtype set_default_dtype set_printoptions get_num_threads
        set_num_threads use_deterministic_algorithms no_grad enable_grad set_grad_enabled
        is_grad_enabled inference_mode is_tensor is_available device_count current_device
        get_device_name empty_cache synchronize manual_seed_all allow_tf32 matmul
        set_float32_matmul_precision fork_rng get_rng_state set_rng_state block_diag cartesian_prod
        combinations vector_norm matrix_norm multi_dot broadcast_shapes result_type promote_types
        can_cast assert_close __version__ erfinv polygamma digamma complex polar complex64
        complex128 fftfreq rfft irfft ifft atleast_1d atleast_2d atleast_3d dsplit hsplit vsplit
        scalar_tensor nansum renorm vmap compile bucketize trapz cumulative_trapezoid diff logspace
        get_default_device set_default_device autocast set_detect_anomaly version e
    """)
)
_NUMPY = _NUMERIC | _words("""
    array asarray ascontiguousarray ndarray default_rng seed standard_normal integers choice
    permutation shuffle uniform random rand randn randint normal binomial RandomState ndindex
    ndenumerate errstate seterr testing assert_allclose assert_array_equal assert_array_almost_equal
    fill_diagonal interp polyfit polyval nditer cbrt float_ int_ bool_ floating integer number
    generic vectorize fromfunction fromiter apply_along_axis append insert delete set_printoptions
    linalg fft matrix_transpose e euler_gamma isscalar result_type broadcast_shapes broadcast_arrays
    identity mgrid ogrid indices flatnonzero rint geomspace piecewise argpartition ix_ uint32 uint64
    issubdtype array2string trapz histogram2d atleast_1d atleast_2d atleast_3d union1d intersect1d
    setdiff1d digitize gradient convolve unravel_index ravel_multi_index take_along_axis
    put_along_axis array_split nanmax nanmin nanstd floor_divide mod bool complex64 complex128
    __version__
""")
_MATHS = _words("""
    acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc
    exp exp2 expm1 fabs factorial floor fma fmod frexp fsum gamma gcd hypot inf isclose isfinite
    isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nan nextafter perm pi pow prod
    radians remainder sin sinh sqrt sumprod tan tanh tau trunc ulp
""")

# Modules whose parts are known, by their names; of what is within them the same is known, if it has
# no words of its own.
MODULES = {
    "torch": _TORCH,
    "numpy": _NUMPY,
    "math": _MATHS,
    "cmath": _MATHS | {"phase", "polar", "rect"},
    "itertools": _words("""
        accumulate batched chain combinations combinations_with_replacement compress count cycle
        dropwhile filterfalse groupby islice pairwise permutations product repeat starmap takewhile
        tee zip_longest
    """),
    "functools": _words("cache cached_property lru_cache partial reduce wraps"),
    "collections": _words("""
        Counter abc defaultdict deque namedtuple ChainMap Callable Iterable Iterator
        Generator Sequence Mapping MutableMapping Hashable Sized
    """),
    "typing": _words("""
        Annotated Any Callable ClassVar Dict Final Hashable Iterable Iterator List Literal Mapping
        MutableMapping NamedTuple NewType NoReturn Optional Self Sequence Set Tuple TypeAlias
        TypeVar Union cast overload TYPE_CHECKING
    """),
    "typing_extensions": _words("Self TypeAlias override Annotated Literal"),
    "jaxtyping": _words("Float Int Bool Shaped"),
    "dataclasses": _words("dataclass field asdict astuple replace InitVar KW_ONLY"),
    "types": _words("SimpleNamespace MappingProxyType NoneType"),
    "enum": _words("Enum IntEnum StrEnum Flag IntFlag auto unique"),
    "abc": _words("ABC abstractmethod"),
    "numbers": _words("Number Real Integral Rational Complex"),
    "fractions": {"Fraction"},
    "decimal": _words("Decimal getcontext localcontext"),
    "statistics": _words("""
        mean fmean median stdev pstdev variance pvariance mode quantiles NormalDist
        linear_regression correlation
    """),
    "random": _words("""
        Random random randint randrange choice choices sample shuffle uniform gauss normalvariate
        seed getstate setstate betavariate expovariate
    """),
    "time": _words("time perf_counter perf_counter_ns process_time monotonic sleep time_ns"),
    "copy": _words("copy deepcopy"),
    "contextlib": _words("contextmanager nullcontext suppress"),
    "warnings": {"warn"},
    "logging": _words("getLogger debug info warning error DEBUG INFO WARNING ERROR"),
    "operator": _words("""
        add sub mul truediv floordiv mod pow matmul neg pos eq ne lt le gt ge itemgetter and_ or_
        xor not_ contains getitem inv invert abs lshift rshift
    """),
    "heapq": _words("heappush heappop heapify nlargest nsmallest heappushpop heapreplace merge"),
    "bisect": _words("bisect bisect_left bisect_right insort"),
    "einops": _words("rearrange reduce repeat einsum pack unpack asnumpy parse_shape"),
    "scipy": _words("""
        special stats softmax log_softmax logsumexp expit erf ndtr norm t ttest_rel ttest_ind
        ttest_1samp wilcoxon bootstrap confidence_interval interval sem linalg solve binom ppf cdf
        sf
    """),
    "__future__": _words("annotations division print_function"),
    # The course's own helpers and layers; of these an assignment forbids some.
    "softlookup": _words("""
        course seeding seed_everything figures running losses evaluation training models gpt GPT
        GPTConfig coursework check next_token_loss bits_per_character token_losses perplexity train
        layers masks causal sliding_window prefix padding subset normalization LayerNorm RMSNorm
        feed_forward gelu gelu_tanh FeedForward SwiGLU embeddings TokenEmbedding positions
        sinusoidal rotate rotate_halves alibi_slopes alibi_bias attention fused_attention multi_head
        split_heads merge_heads MultiHeadAttention blocks Block BlockConfig PreNormBlock
        PostNormBlock make_block stacks Stack Decoder decoder_blocks grouped_query
        GroupedQueryAttention recurrent RNN LSTM RNNCell LSTMCell patches PatchEmbedding
    """),
}
# What an object may be asked for: a tensor, an array, a layer, a text, a list or a class.
OBJECTS = _TENSOR | _words("""
    parameters named_parameters buffers named_buffers children named_children modules named_modules
    state_dict load_state_dict train eval zero_grad apply weight bias in_features out_features
    num_embeddings embedding_dim normalized_shape p forward training register_buffer
    register_parameter add_module extra_repr epsilon astype base flat fill permute integers
    standard_normal choice permutation shuffle uniform normal random randint randn binomial append
    extend insert pop remove clear index count sort reverse keys values items get update setdefault
    popitem add discard union intersection difference symmetric_difference issubset issuperset
    isdisjoint join strip lstrip rstrip replace format startswith endswith lower upper title
    capitalize swapcase zfill ljust rjust center find rfind rindex rsplit splitlines partition
    rpartition isdigit isalpha isalnum isspace isupper islower isnumeric isidentifier casefold
    removeprefix removesuffix fromkeys most_common elements total subtract appendleft popleft
    extendleft rotate maxlen from_iterable numerator denominator limit_denominator conjugate
    bit_length bit_count as_integer_ratio is_integer hex quantize real imag cache_info cache_clear
    name value args kwargs add_note with_traceback split setter getter default_factory axis round
    statistic pvalue confidence_interval low high indices sizes eigenvalues sign logabsdet itemsize
    argpartition __init__ __call__ __name__ __qualname__ __doc__ __class__ __len__ __getitem__
    __setitem__ __iter__ __next__ __repr__ __str__ __add__ __mul__ __enter__ __exit__ __post_init__
    _asdict _replace _fields manual_seed initial_seed get_state debug info warning error setLevel
""")
# What may be set on any object: it changes numbers, and what nobody calls.
DATA = _words("data grad weight bias requires_grad p training shape real imag")
# What students call their own attributes, though a module of Python's is called so, too.
COMMON = _words("""
    time random copy token string select statistics numbers test calendar queue signal html array
    query dropout attention
""")
# Modules from which others can be had, by whatever object holds them: all of Python's own, and
# those of PyTorch and NumPy that trace, derive, compile, load or start processes.
HUBS = frozenset(sys.stdlib_module_names) - COMMON | _words("""
    fx func functorch jit ops onnx hub export package overrides autograd library compiler
    distributed cpp_extension ctypeslib f2py emath lib
""")
# What Python has without an import, and code may use as it likes; none that shows where something
# lies in memory, or holds bytes that can be taken for an object.
BUILT_IN = _words("""
    abs all any ascii bin bool callable chr classmethod complex dict divmod
    enumerate filter float format frozenset hasattr hex int isinstance issubclass iter len
    list map max min next object ord pow print property range repr reversed round set slice sorted
    staticmethod str sum super tuple type zip NotImplemented Ellipsis getattr setattr delattr
    __name__ __doc__ __debug__ __class__
""")
# What classes of one's own may be made of, besides layers, and by what methods may be decorated.
BASES = _words("object ABC Exception ValueError RuntimeError")
DECORATORS = _words("""
    staticmethod classmethod property cached_property setter getter abstractmethod no_grad
    cache lru_cache compile overload override
""")
# What IPython has besides: it gives code, or shows what was made elsewhere.
OF_IPYTHON = _words("get_ipython exit quit open display")
# The special methods that a class of one's own may define. None by which Python compares, counts or
# converts in the midst of something else: code that changes there what Python is at work on has
# made it read and write memory that was another's.
SPECIAL = _words("""
    __init__ __call__ __len__ __getitem__ __setitem__ __iter__ __next__ __repr__ __str__ __round__
    __abs__ __neg__ __pos__ __invert__ __add__ __radd__ __iadd__ __sub__ __rsub__ __isub__ __mul__
    __rmul__ __imul__ __truediv__ __rtruediv__ __itruediv__ __floordiv__ __rfloordiv__ __mod__
    __rmod__ __divmod__ __pow__ __rpow__ __matmul__ __rmatmul__ __and__ __or__ __xor__ __lshift__
    __rshift__ __enter__ __exit__ __post_init__ __all__ __version__ __author__ __doc__ __name__
""")
