"""The words that the check of students' code knows: what an answer is usually written with.

None of them leads to code that does not stand in the cells, and none hands out another module than
those that are listed. What is not among them is no offence; a person looks what it does. A word is
known in a place: as a name that Python has, as part of a module, or as what any object may have.
"""

import re
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
    isclose isfinite isin isinf isnan isreal item kron lcm ldexp less less_equal linspace log log10
    log1p log2 logaddexp logical_and logical_not logical_or logical_xor logspace matmul max maximum
    mean median meshgrid min minimum moveaxis multiply nan nan_to_num nanmean nanmedian nanquantile
    nansum nbytes ndim negative newaxis norm not_equal nonzero ones ones_like outer pad percentile
    permute pi pow power prod ptp quantile ravel real reciprocal remainder repeat reshape roll rot90
    round searchsorted shape sigmoid sign sin sinc sinh size sort split sqrt square squeeze stack
    std subtract sum swapaxes take tan tanh tensordot tile to tolist trace transpose trapezoid tri
    tril tril_indices triu triu_indices true_divide trunc uint8 unique vander var vdot vstack where
    zeros zeros_like matrix_power matrix_rank solve det pinv cholesky qr svd eigh eig eigvals
    eigvalsh svdvals lstsq float16 float32 float64 finfo iinfo eps tiny smallest_normal resolution
    resolve_conj conj angle degrees radians deg2rad rad2deg dstack row_stack signbit sgn matrix_exp
    slogdet logdet inverse diagflat select
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
    is_complex is_cuda hardtanh
""")
_LAYERS = _words("""
    Module Parameter Linear Embedding LayerNorm RMSNorm GroupNorm BatchNorm1d Dropout ReLU GELU SiLU
    ELU Tanh Sigmoid Softplus Softmax LogSoftmax LeakyReLU Sequential ModuleList ModuleDict
    ParameterList ParameterDict Identity Flatten Unflatten Conv1d Conv2d AvgPool2d MaxPool2d
    CrossEntropyLoss MSELoss NLLLoss L1Loss BCELoss BCEWithLogitsLoss cross_entropy mse_loss
    nll_loss l1_loss smooth_l1_loss layer_norm rms_norm linear embedding dropout silu elu leaky_relu
    softplus one_hot normalize cosine_similarity binary_cross_entropy
    binary_cross_entropy_with_logits hardsigmoid hardswish logsigmoid softsign kl_div
    adaptive_avg_pool2d avg_pool2d max_pool2d conv1d conv2d xavier_uniform_ xavier_normal_
    kaiming_uniform_ kaiming_normal_ constant_ zeros_ ones_ eye_ trunc_normal_ orthogonal_ uniform_
    normal_ calculate_gain Adam AdamW SGD RMSprop Adagrad LambdaLR CosineAnnealingLR StepLR
    ExponentialLR LinearLR OneCycleLR ReduceLROnPlateau clip_grad_norm_ clip_grad_value_
    parameters_to_vector Dataset DataLoader TensorDataset Subset random_split
""")
# The names by which modules are known where nobody imports them under another.
USUAL = {
    "torch": "torch",
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "np": "numpy",
    "plt": "matplotlib.pyplot",
    "math": "math",
    "re": "re",
}
# Modules within a module, by the first part of its name.
PARTS = {
    "torch": _words("""
        nn functional init optim lr_scheduler utils data linalg random testing cpu cuda mps backends
        cudnn special fft version deterministic
    """),
    "numpy": _words("linalg random fft testing"),
    "matplotlib": _words("pyplot style cm colors ticker"),
    "collections": {"abc"},
    "scipy": _words("special stats linalg"),
    "tqdm": _words("auto notebook"),
    "softlookup": _words("""
        course seeding figures running losses evaluation layers masks positions training models gpt
        exercises coursework normalization feed_forward embeddings attention multi_head blocks
        stacks decoder_blocks grouped_query recurrent patches
    """),
    "os": {"path"},
    "IPython": {"display"},
}
_TORCH = (
    (_TENSOR - {"grad"})
    | _LAYERS
    | PARTS["torch"]
    | _words("""
        Tensor FloatTensor DoubleTensor LongTensor IntTensor BoolTensor Size Generator tensor
        from_numpy frombuffer rand rand_like randint randn randn_like randperm normal manual_seed
        seed initial_seed get_default_dtype set_default_dtype set_printoptions get_num_threads
        set_num_threads use_deterministic_algorithms no_grad enable_grad set_grad_enabled
        is_grad_enabled inference_mode is_tensor is_available device_count current_device
        get_device_name empty_cache synchronize manual_seed_all benchmark allow_tf32 matmul
        set_float32_matmul_precision fork_rng get_rng_state set_rng_state block_diag cartesian_prod
        combinations vector_norm matrix_norm multi_dot broadcast_shapes result_type promote_types
        can_cast assert_close __version__ erfinv polygamma digamma complex polar complex64
        complex128 fftfreq rfft irfft ifft atleast_1d atleast_2d atleast_3d dsplit hsplit vsplit
        scalar_tensor nansum renorm vmap compile load bucketize trapz cumulative_trapezoid diff
        logspace get_default_device set_default_device autocast set_detect_anomaly version e
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
    setdiff1d digitize load loadtxt gradient convolve unravel_index ravel_multi_index
    take_along_axis put_along_axis array_split nanmax nanmin nanstd floor_divide mod bool complex64
    complex128 __version__
""")
_PLOTS = _words("""
    pyplot figure subplots subplot subplot_mosaic plot imshow matshow scatter bar barh hist hist2d
    errorbar fill_between title xlabel ylabel xlim ylim xticks yticks legend colorbar show savefig
    grid axis axhline axvline axhspan axvspan text annotate tight_layout suptitle cla clf close gca
    gcf sca style use rcParams rc cm colors viridis semilogy semilogx loglog xscale yscale
    pcolormesh contour contourf twinx tick_params heatmap lineplot barplot histplot scatterplot
    boxplot violinplot kdeplot set_theme set_style set_context set_palette get_cmap stem step pie
    quiver hlines vlines stackplot ticker Normalize LogNorm ListedColormap
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
    # The words of plots are modules in the package itself, as `text` and `figure` are.
    "matplotlib": PARTS["matplotlib"]
    | _words("use rc rcParams get_cmap colormaps viridis Normalize LogNorm ListedColormap"),
    "matplotlib.pyplot": _PLOTS,
    "seaborn": _PLOTS | _words("despine color_palette pairplot relplot displot"),
    "math": _MATHS,
    "cmath": _MATHS | {"phase", "polar", "rect"},
    "itertools": _words("""
        accumulate batched chain combinations combinations_with_replacement compress count cycle
        dropwhile filterfalse groupby islice pairwise permutations product repeat starmap takewhile
        tee zip_longest
    """),
    "functools": _words("cache cached_property lru_cache partial partialmethod reduce wraps")
    | {"total_ordering"},
    "collections": _words("""
        Counter OrderedDict abc defaultdict deque namedtuple ChainMap Callable Iterable Iterator
        Generator Sequence Mapping MutableMapping Hashable Sized
    """),
    "typing": _words("""
        Annotated Any Callable ClassVar Dict Final Generator Generic Hashable Iterable Iterator List
        Literal Mapping MutableMapping NamedTuple NewType NoReturn Optional ParamSpec Protocol Self
        Sequence Set Tuple Type TypeAlias TypeVar Union cast overload runtime_checkable
        TYPE_CHECKING SupportsFloat SupportsIndex
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
    "string": _words("""
        ascii_letters ascii_lowercase ascii_uppercase digits punctuation whitespace
    """)
    | {"Template"},
    "re": _words("""
        compile match fullmatch search sub subn split findall finditer escape DOTALL IGNORECASE
        MULTILINE VERBOSE ASCII S I M X A Pattern Match
    """),
    "copy": _words("copy deepcopy"),
    "operator": _words("""
        add sub mul truediv floordiv mod pow matmul neg pos eq ne lt le gt ge itemgetter and_ or_
        xor not_ contains getitem inv invert abs lshift rshift
    """),
    "heapq": _words("heappush heappop heapify nlargest nsmallest heappushpop heapreplace merge"),
    "bisect": _words("bisect bisect_left bisect_right insort"),
    "json": _words("dumps loads dump load"),
    "textwrap": _words("dedent indent fill shorten wrap"),
    "pprint": _words("pprint pformat"),
    "contextlib": _words("contextmanager nullcontext suppress redirect_stdout ExitStack closing"),
    "warnings": _words("warn catch_warnings simplefilter filterwarnings"),
    "einops": _words("rearrange reduce repeat einsum pack unpack asnumpy parse_shape"),
    "tqdm": _words("tqdm trange auto notebook"),
    "scipy": _words("""
        special stats softmax log_softmax logsumexp expit erf ndtr norm t ttest_rel ttest_ind
        ttest_1samp wilcoxon bootstrap confidence_interval interval sem linalg solve binom ppf cdf
        sf
    """),
    "pandas": _words("DataFrame Series concat melt merge set_option options display precision"),
    "sys": _words("maxsize float_info"),
    "timeit": {"default_timer"},
    "importlib": {"import_module"},
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
# What stands in those cells alone on which no answer depends: it looks, times or writes down.
TOOLS = {
    "torch": _words("""
        profiler profile schedule record_function ProfilerActivity CPU CUDA benchmark Timer
        gradcheck autograd jacobian hessian parametrize parametrizations save jit trace script
    """),
    "numpy": _words("save savez savetxt genfromtxt"),
    "os": _words(
        "environ getcwd path cpu_count getpid listdir makedirs exists join isfile basename"
    ),
    "sys": _words("""
        version version_info maxsize float_info stdout stderr getsizeof executable argv
        getrecursionlimit setrecursionlimit platform path getrefcount
    """),
    "inspect": _words("signature getsource getdoc isfunction ismethod isclass Parameter"),
    "traceback": _words("print_exc format_exc"),
    "logging": _words("""
        getLogger basicConfig info debug warning error exception critical INFO DEBUG WARNING ERROR
        CRITICAL StreamHandler Formatter Logger
    """),
    "timeit": _words("timeit repeat Timer"),
    "gc": _words("collect"),
    "platform": _words("python_version platform system machine processor"),
    "unittest": _words("TestCase main TestLoader TextTestRunner skip skipIf"),
    "pytest": _words("mark parametrize raises approx fixture skip"),
    "IPython": _words("display HTML Markdown Image Math Latex JSON clear_output"),
    "pathlib": _words("Path PurePath"),
    "pickle": _words("dump dumps"),
    "io": _words("StringIO BytesIO"),
    "asyncio": _words("sleep gather run"),
    "datetime": _words("datetime date timedelta now today"),
    "tracemalloc": _words("start stop get_traced_memory"),
    "psutil": _words("Process cpu_count virtual_memory"),
    "csv": _words("reader writer DictReader DictWriter"),
    "resource": _words("getrusage RUSAGE_SELF"),
}

# What an object may be asked for: a tensor, an array, a module, a text, a list, a plot or a class.
OBJECTS = _TENSOR | _words("""
    parameters named_parameters buffers named_buffers children named_children modules named_modules
    state_dict load_state_dict train eval zero_grad apply weight bias in_features out_features
    num_embeddings embedding_dim normalized_shape p forward training register_buffer
    register_parameter add_module extra_repr step param_groups get_last_lr lr last_epoch epsilon
    dataset batch_size astype base flat fill permute integers standard_normal choice permutation
    shuffle uniform normal random randint randn binomial append extend insert pop remove clear index
    count sort reverse keys values items get update setdefault popitem add discard union
    intersection difference symmetric_difference issubset issuperset isdisjoint join strip lstrip
    rstrip replace format startswith endswith lower upper title capitalize swapcase zfill ljust
    rjust center find rfind rindex rsplit splitlines partition rpartition isdigit isalpha isalnum
    isspace isupper islower isnumeric isidentifier encode decode casefold translate removeprefix
    removesuffix fromkeys maketrans most_common elements total subtract appendleft popleft
    extendleft rotate maxlen move_to_end from_iterable numerator denominator limit_denominator
    conjugate bit_length bit_count as_integer_ratio is_integer hex quantize real imag cache_info
    cache_clear name value args kwargs add_note with_traceback message group groups groupdict start
    end span match search fullmatch sub split findall finditer pattern send throw close setter
    getter deleter default_factory set_description set_postfix set_postfix_str write ax axes fig
    figure set_title set_xlabel set_ylabel set_zlabel set_xticks set_yticks set_xticklabels
    set_yticklabels set_xlim set_ylim set_xscale set_yscale set_aspect set_axis_off set_visible
    set_label set_figwidth set_size_inches spines tick_params ticklabel_format invert_yaxis
    invert_xaxis set_major_locator set_major_formatter xaxis yaxis subplots_adjust add_subplot
    add_axes get_legend_handles_labels plot imshow matshow scatter bar barh hist errorbar
    fill_between legend grid axis axhline axvline axhspan axvspan text annotate tight_layout
    suptitle semilogy semilogx loglog pcolormesh contour contourf twinx hlines vlines boxplot
    violinplot stem set savefig colorbar get_figure rcParams describe head tail groupby agg pivot
    pivot_table rolling reset_index set_index sort_values iloc loc columns to_string to_dict rename
    round corr melt style statistic pvalue confidence_interval low high indices sizes eigenvalues
    sign logabsdet itemsize tobytes argpartition fillna to_list __init__ __call__ __name__
    __qualname__ __doc__ __class__ __len__ __getitem__ __setitem__ __contains__ __iter__ __next__
    __repr__ __str__ __eq__ __hash__ __add__ __mul__ __enter__ __exit__ __post_init__ __new__
    __version__ _asdict _replace _fields manual_seed initial_seed get_state set_state __float__
    __int__ __bool__
""")
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
# What the objects of such tools may be asked for besides.
OBJECTS_OF_TOOLS = _words("""
    assertEqual assertTrue assertFalse assertAlmostEqual assertIs assertIsNone assertRaises
    assertLess assertGreater assertIn setUp tearDown assertLessEqual run show best worst average
    repeat compile_time all_runs stdev key_averages table parameters annotation default setLevel
    handlers addHandler setFormatter info debug warning error write_text read_text exists mkdir
    parent stem suffix with_suffix glob is_file is_dir write read readlines readline getvalue seek
    register_forward_hook register_hook remove environ result timeit script blocked_autorange
    memory_info rss ru_maxrss writerow writerows writeheader set_detect_anomaly gradcheck jacobian
    hessian functional path version stdout flush strftime isoformat ndindex
""")
# What Python has without an import, and code may use as it likes.
BUILT_IN = _words("""
    abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod
    enumerate filter float format frozenset hasattr hash hex id int isinstance issubclass iter len
    list map max min next object oct ord pow print property range repr reversed round set slice
    sorted staticmethod str sum super tuple type zip NotImplemented Ellipsis dir aiter anext input
    exit quit display getattr setattr delattr open __name__ __file__ __doc__ __debug__ __class__
""")
# Commands of IPython that are known, with what may stand behind each: nothing that is computed, and
# no file that is installed or run unread. And programs that a line may start.
_SAYS = re.compile(r"[\w .,='\"-]*")
# What pip is asked for by name, and no file and no folder.
_PACKAGE = r"[A-Za-z][\w-]*(?:\[[\w,-]*\])?(?:[=<>~!]=?[\w.]+)?"
_PIP = rf"(?:install|list|show|freeze)(?: (?:-q|-U|--quiet|--upgrade|{_PACKAGE}))*"
MAGICS = {
    **dict.fromkeys(_words("matplotlib pylab autoreload env who whos xmode precision"), _SAYS),
    **dict.fromkeys(_words("cd ls cat"), re.compile(r"[\w ./~-]*")),
    **dict.fromkeys(
        _words("pip conda"),
        # The course's library, as an assignment's first cell installs it.
        re.compile(
            rf"{_PIP}|install --quiet \{{next\(Path\(\)\.glob\(\"softlookup-\*\.whl\"\)\)\}}"
        ),
    ),
    "config": re.compile(r"InlineBackend\.\w+ ?= ?(?:\w+|'\w+'|\"\w+\")"),
    "load_ext": re.compile("autoreload|memory_profiler|line_profiler|tensorboard"),
    "run": re.compile(r"[\w./]+\.(?:py|ipynb)"),
}
# Those of a whole cell, with what may stand in their first line. IPython puts values in the place
# of braces there, too.
CELL_MAGICS = {
    **dict.fromkeys(_words("writefile file"), re.compile(r"(?:-a )?[\w./-]+")),
    **dict.fromkeys(_words("html markdown latex capture"), re.compile(r"[\w -]*")),
}
PROGRAM = re.compile(
    rf"(?:(?:python3? -m )?pip3? {_PIP}|(?:ls|pwd|nvidia-smi|nproc|free|df|mkdir|echo)"
    r"(?: [^;&|<>`${}]*)?)(?: ?\| ?(?:grep|head|tail)(?: [\w.-]+)*)?"
)
# The special methods that a class of one's own may define.
SPECIAL = _words("""
    __init__ __new__ __call__ __len__ __getitem__ __setitem__ __delitem__ __contains__ __iter__
    __next__ __reversed__ __repr__ __str__ __format__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__
    __hash__ __bool__ __int__ __float__ __complex__ __index__ __round__ __abs__ __neg__ __pos__
    __invert__ __add__ __radd__ __iadd__ __sub__ __rsub__ __isub__ __mul__ __rmul__ __imul__
    __truediv__ __rtruediv__ __itruediv__ __floordiv__ __rfloordiv__ __mod__ __rmod__ __divmod__
    __pow__ __rpow__ __matmul__ __rmatmul__ __and__ __or__ __xor__ __enter__ __exit__ __post_init__
    __init_subclass__ __set_name__ __class_getitem__ __missing__ __setattr__ __getattr__ __delattr__
    __del__ __get__ __set__ __aiter__ __anext__ __aenter__ __aexit__ __await__ __sizeof__ __dir__
    __array_priority__ __slots__ __all__ __version__ __author__ __doc__ __test__ __name__
""")
